internal import Glibc
internal import TminusSystem
internal import TminusTooling

/// The copy of a definition file that an editor works on, in a directory that nobody else can enter.
struct EditedCopy {
    /// Its path, which ends as that of the file does, so that the editor knows the format.
    let path: String
    private let directory: String

    /// Writes a text.
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

    /// What the editor has left.
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

    /// Removes it, and what the editor has left beside it under the names that editors use for backups.
    func discard() {
        for suffix in ["", "~", ".bak"] { unlink(path + suffix) }
        rmdir(directory)
    }

    private static func failure(_ path: String) -> EditRefusal {
        EditRefusal(ToolError(.inputOutput, "\(path): \(ErrorText.last)"))
    }
}
