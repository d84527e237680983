import Glibc
import TminusCore

/// A directory of one test, removed at its end.
final class Scratch: Sendable {
    let directory: String

    init() throws {
        var template = Array("/tmp/tminus-store-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw StoreError(.other, "no scratch directory") }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        if let listing = opendir(directory) {
            while let entry = readdir(listing) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != ".", name != ".." { unlink("\(directory)/\(name)") }
            }
            closedir(listing)
        }
        rmdir(directory)
    }

    var path: String { "\(directory)/tminus.sqlite" }

    /// Writes a file as it is.
    func write(_ bytes: [UInt8], to path: String? = nil) throws {
        let file = open(path ?? self.path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count, Glibc.close(file) == 0 else {
            throw StoreError(.other, "cannot write \(self.path)")
        }
    }

    /// Reads a file whole, up to 16 MiB.
    func read(_ path: String? = nil) throws -> [UInt8] {
        let file = open(path ?? self.path, O_RDONLY)
        guard file >= 0 else { throw StoreError(.other, "cannot read \(self.path)") }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 16 << 20)
        let count = Glibc.read(file, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    /// The permissions of a file.
    func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }
}

/// A small file system of its own, for a test that needs one that is full or read-only. Needs the right to mount.
final class SmallFileSystem: Sendable {
    let scratch: Scratch

    /// Whether this process may mount one.
    static let isAvailable: Bool = {
        (try? SmallFileSystem(kilobytes: 64)) != nil
    }()

    init(kilobytes: Int) throws {
        scratch = try Scratch()
        guard mount("tmpfs", scratch.directory, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
            throw StoreError(.other, "cannot mount")
        }
    }

    deinit {
        umount2(scratch.directory, CInt(MNT_DETACH))
    }

    func makeReadOnly() throws {
        guard mount("tmpfs", scratch.directory, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
        else { throw StoreError(.other, "cannot remount") }
    }
}
