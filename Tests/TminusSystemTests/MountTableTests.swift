import Testing

@testable import TminusSystem

@Suite("Types of file systems")
struct MountTableTests {
    private let table = MountTable(
        Array(
            #"""
            22 27 0:21 / /proc rw,relatime - proc proc rw
            27 1 253:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
            40 27 0:40 / /srv/a\040b rw - fuse.sshfs ada@host:/ rw
            41 27 0:41 / /srv rw master:1 propagate_from:2 - nfs4 host:/srv rw
            42 27 0:42 / /srv/local rw - tmpfs tmpfs rw
            43 27 0:43 / /srv/local rw - cifs //host/share rw
            a line of another form
            44 27 0:44 / /cut rw -
            """#.utf8))

    @Test(
        "the mount that is longest holds a path, the last one of several; escapes in names are read",
        arguments: [
            ("/", "ext4"), ("/home/ada", "ext4"), ("/proc/1", "proc"), ("/process", "ext4"), ("/srv", "nfs4"),
            ("/srv/x/y", "nfs4"), ("/srv/a b/x", "fuse.sshfs"), ("/srv/a", "nfs4"), ("/srv/local", "cifs"),
            ("/srv/locals", "nfs4"), ("/cut", "ext4"),
        ])
    func types(path: String, type: String) {
        #expect(table.type(of: path) == type)
        #expect(table.networkType(of: path) == (["nfs4", "cifs", "fuse.sshfs"].contains(type) ? type : nil))
    }

    @Test("the temporary directory of a service is private; that of the machine is not")
    func privateDirectories() {
        let service = MountTable(
            Array(
                #"""
                27 1 253:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
                41 27 253:0 /tmp/systemd-private-1a-tminus.service-Ab/tmp /tmp rw - ext4 /dev/vda rw
                42 27 0:30 /systemd-private-1a-tminus.service-Cd/tmp /var/tmp rw - tmpfs tmpfs rw
                """#.utf8))
        #expect(["/tmp", "/tmp/out", "/var/tmp/x"].allSatisfy(service.isPrivate))
        #expect(!["/", "/var", "/tmpfile"].contains(where: service.isPrivate) && !table.isPrivate("/tmp"))
    }

    @Test("an empty table knows nothing; that of this process knows /proc and the root")
    func real() {
        #expect(MountTable([]).type(of: "/") == nil)
        #expect(MountTable.ofProcess.type(of: "/proc/self/mountinfo") == "proc")
        #expect(MountTable.ofProcess.type(of: "/") != nil)
    }
}
