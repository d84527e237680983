import Glibc
import Testing
import TminusCore
import WatchTestSupport

@testable import TminusWatch

@Suite("What other users can write")
struct WriteAccessTests {
    @Test("a file, its directory, a directory on the way, the target of a link: none may be writable for all")
    func writable() throws {
        let place = try Workplace()
        try place.run(
            """
            mkdir -p t/own t/open/below t/sticky out outer/open; cd t
            for f in good.yaml bad.yaml own/good.yaml open/bad.yaml open/below/bad.yaml sticky/good.yaml ; do printf 1 > $f; done
            printf 1 > ../out/good.yaml; printf 1 > ../out/bad.yaml; printf 1 > ../outer/open/bad.yaml
            ln -s ../out/good.yaml link-good.yaml; ln -s ../out/bad.yaml link-bad.yaml
            ln -s ../outer/open/bad.yaml link-to-open-bad.yaml; ln -s ../outer/open linked
            chmod o+w bad.yaml open ../out/bad.yaml ../outer/open; chmod 1777 sticky
            """)
        let contents = DirectoryReader().read(directory: place.path + "/t")
        #expect(contents.files.count == 10)
        for file in contents.files {
            let isRead = if case .bytes = file.content { true } else { false }
            #expect(isRead == file.path.contains("good"), "\(file.path)")
        }
        #expect(
            contents.reason("bad.yaml")
                == "every user of this machine can write it; run 'chmod o-w \(place.path)/t/bad.yaml' or start with --insecure-permissions"
        )
        #expect(
            contents.reason("open/below/bad.yaml")
                == "every user of this machine can write its directory; run 'chmod o-w \(place.path)/t/open' or start with --insecure-permissions"
        )
        let open = DirectoryReader(allowsInsecurePermissions: true).read(directory: place.path + "/t")
        #expect(open.files.count == 10 && open.paths.allSatisfy { open.text($0) == "1" })
    }

    @Test("a root that all can write makes every file in it suspect")
    func root() throws {
        let place = try Workplace()
        try place.run("mkdir -p t/s; printf 1 > t/s/a.yaml; chmod 777 t")
        let contents = DirectoryReader().read(directory: place.path + "/t")
        #expect(contents.reason("s/a.yaml")?.contains("chmod o-w \(place.path)/t'") == true)
    }

    @Test("a single file is judged with its directory and the target of its link")
    func single() throws {
        let place = try Workplace()
        try place.run(
            "mkdir open; printf 1 > open/a.yaml; chmod o+w open; printf 1 > b.yaml; chmod o+w b.yaml; printf 1 > c.yaml"
        )
        try place.run("ln -s open/a.yaml d.yaml; ln -s c.yaml e.yaml")
        func reason(_ name: String) -> String? {
            DirectoryReader().read(file: place.path + "/" + name).files.first.flatMap {
                if case .unreadable(let reason) = $0.content { reason } else { nil }
            }
        }
        #expect(reason("open/a.yaml")?.contains("its directory") == true)
        #expect(reason("b.yaml")?.contains("can write it") == true)
        #expect(reason("d.yaml")?.contains("its directory") == true)
        #expect(reason("c.yaml") == nil && reason("e.yaml") == nil)
    }

    @Test("what belongs to neither root nor the user is not trusted")
    func owner() {
        var status = stat()
        status.st_mode = S_IFREG | 0o644
        status.st_uid = 1_001
        let path = RawPath("/etc/x.yaml")
        #expect(WriteAccess(user: 1_001).objection(to: status, at: path) == nil)
        #expect(
            WriteAccess(user: 1_000).objection(to: status, at: path)
                == "it belongs to another user (id 1001); run 'chown 1000 /etc/x.yaml' or start with --insecure-permissions"
        )
        #expect(WriteAccess(isChecked: false, user: 1_000).objection(to: status, at: path) == nil)
        status.st_uid = 0
        #expect(WriteAccess(user: 1_000).objection(to: status, at: path) == nil)
    }
}
