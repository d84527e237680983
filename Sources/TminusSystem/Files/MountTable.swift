internal import Glibc

/// The mounted file systems, with their types by name (proc_pid_mountinfo(5)).
///
/// Reading it asks no file system, so it tells that a path is on a server that does not answer. statfs(2) would wait, and
/// has one number for everything in user space.
package struct MountTable: Sendable {
    private struct Mount {
        var path: String
        var type: String
        /// Which directory of the file system is mounted.
        var root: String
    }

    private let mounts: [Mount]

    /// Reads the content of `/proc/self/mountinfo`. Lines of another form are ignored.
    package init(_ text: [UInt8]) {
        mounts = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = line.split(separator: UInt8(ascii: " "))
            // The optional fields before the separator differ in number.
            guard let root = words.dropFirst(3).first, let path = words.dropFirst(4).first,
                let type = words.dropFirst(6).drop(while: { !$0.elementsEqual("-".utf8) }).dropFirst().first
            else { return nil }
            return Mount(
                path: Self.unescaped(path), type: String(decoding: type, as: UTF8.self), root: Self.unescaped(root))
        }
    }

    /// The table of this process; empty if it is hidden.
    package static var ofProcess: MountTable {
        MountTable(FileBytes.read("/proc/self/mountinfo", limit: 1 << 24) ?? [])
    }

    /// The type of the file system of an absolute path without symbolic links, such as `ext4` or `fuse.sshfs`; nil if it is
    /// unknown. Of several mounts at one place the last one is seen.
    package func type(of path: String) -> String? { mount(of: path)?.type }

    /// The type of the file system of an absolute path if that is on another machine; nil otherwise.
    package func networkType(of path: String) -> String? { type(of: path).flatMap { Self.isNetwork($0) ? $0 : nil } }

    /// Whether file systems of this type are on another machine.
    package static func isNetwork(_ type: String) -> Bool { networkTypes.contains(type) }

    private static let networkTypes: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs", "coda", "ncpfs", "lustre", "beegfs", "glusterfs",
        "fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.s3fs", "fuse.rclone", "fuse.davfs", "fuse.davfs2", "davfs",
        "fuse.gcsfuse", "fuse.juicefs", "fuse.curlftpfs", "fuse.smbnetfs", "fuse.nfs",
    ]

    /// Whether systemd has put a directory of the service in the place of `/tmp` or `/var/tmp`, in which the path is
    /// (systemd.exec(5), PrivateTmp).
    package func isPrivate(_ path: String) -> Bool {
        mount(of: path)?.root.split(separator: "/").contains { $0.hasPrefix("systemd-private-") } ?? false
    }

    private func mount(of path: String) -> Mount? {
        var best: Mount?
        for mount in mounts where Self.holds(mount.path, path) {
            if mount.path.utf8.count >= best?.path.utf8.count ?? 0 { best = mount }
        }
        return best
    }

    private static func holds(_ mount: String, _ path: String) -> Bool {
        mount == "/" || path == mount || path.hasPrefix("\(mount)/")
    }

    /// A path in which space, tab, line feed and backslash are octal numbers, such as `\040`.
    private static func unescaped(_ word: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = word
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
