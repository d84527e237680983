internal import Glibc
internal import TminusSystem
internal import TminusTooling

/// A temporary copy of a definition file for the editor, in a directory with mode 0700.
struct EditedCopy {
    /// The path. It ends in the original file name, so the editor recognizes the format.
    let path: String
    private let directory: String

    /// Creates the copy, below `$TMPDIR` if that is an absolute path, else `/tmp`.
    init(_ bytes: [UInt8], named name: String) throws {
        let place = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(place)/tminus-edit-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Self.failure(place) }
        directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        path = "\(directory)/\(name)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads the text the editor left.
    func read() throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure(path) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Removes the copy, its usual editor backups and the directory.
    func discard() {
        for suffix in ["", "~", ".bak"] { unlink(path + suffix) }
        rmdir(directory)
    }

    private static func failure(_ path: String) -> EditRefusal {
        EditRefusal(ToolError(.inputOutput, "\(path): \(ErrorText.last)"))
    }
}
