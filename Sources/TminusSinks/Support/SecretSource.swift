import Glibc
import Synchronization
package import TminusCore

/// Where a secret comes from: `{ env: NAME }`, `{ file: path }` or `{ credential: name }`.
///
/// The source is what a definition holds and what may be shown; the value is read at each use, so that a rotation needs no
/// reload, and is kept nowhere.
package struct SecretSource: Sendable {
    /// The place, as written.
    package enum Place: Sendable, Hashable {
        /// A variable in the environment of the daemon.
        case variable(String)
        /// An absolute path.
        case file(String)
        /// The name of a credential that the service manager passed on (systemd.exec(5), LoadCredential).
        case credential(String)
    }

    /// The most that a secret may have, in bytes.
    package static let limit = 65_536
    /// The forms of a secret.
    static let options = KeyTable(
        "a secret",
        [
            .init("env", .text, "a variable in the environment of tminus"),
            .init("file", .text, "the path of a file; a line break at its end does not count"),
            .init("credential", .text, "a credential that systemd passes on (LoadCredential=)"),
        ])
    /// The type of a key that takes a secret.
    package static let valueType = KeyTable.ValueType.secret

    /// The place, as written.
    package let place: Place
    /// One for each source, so that a file system that hangs holds up no other secret.
    private let queue = BlockingQueue(label: "tminus.secret")

    /// The secret of a place.
    package init(_ place: Place) {
        self.place = place
    }

    /// Decodes the value of `key`; nil if it is wrong, which has been reported.
    package init?(_ node: Node, for key: String, context: SinkContext, _ diagnostics: DiagnosticBag) {
        guard case .mapping(let entries) = node.content else {
            // The text is not repeated: it may well be the secret.
            diagnostics.conceal(node.range)
            diagnostics.error(
                "'\(key)' is a secret: write { env: NAME }, { file: path } or { credential: name }", at: node.range)
            return nil
        }
        if entries.contains(where: { Self.options[$0.key] == nil }) { diagnostics.conceal(node.range) }
        let reader = MappingReader(node, table: Self.options, diagnostics: diagnostics)
        let given = Self.options.keys.map(\.name).filter { !reader.isMissing($0) }
        guard given.count == 1, let form = given.first else {
            diagnostics.conceal(node.range)
            diagnostics.error("'\(key)' must have one of 'env', 'file' and 'credential'", at: node.range)
            return nil
        }
        guard reader.has(form), let text = reader.text(form) else { return nil }
        let isName = !text.isEmpty && !text.utf8.contains(0)
        switch form {
        case "env" where isName && !text.contains("="): self.init(.variable(text))
        case "file" where isName && !text.hasSuffix("/"): self.init(.file(context.resolve(text)))
        case "credential" where isName && !text.contains("/") && text != "." && text != "..":
            self.init(.credential(text))
        default:
            let wanted = ["env": "the name of a variable", "file": "the path of a file"][form]
            reader.error("'\(form)' must be \(wanted ?? "the name of a credential")", at: form)
            return nil
        }
    }

    /// Reads the secret.
    ///
    /// - Throws: a transient error that names the place and never holds the value: somebody may set it right.
    package func read() async throws(DeliveryError) -> Secret {
        switch place {
        case .variable(let name):
            guard let text = getenv(name) else { throw .transient("the variable '\(name)' of the secret is not set") }
            return try Self.secret(
                Array(UnsafeRawBufferPointer(start: text, count: strlen(text))), of: "the variable '\(name)'")
        case .file(let path):
            return try await read(path, shownAs: "the secret file '\(path)'")
        case .credential(let name):
            guard let directory = getenv("CREDENTIALS_DIRECTORY").map({ String(cString: $0) }), !directory.isEmpty
            else { throw .transient("the credential '\(name)' is not there: systemd passed none on") }
            return try await read("\(directory)/\(name)", shownAs: "the credential '\(name)'")
        }
    }

    private func read(_ path: String, shownAs name: String) async throws(DeliveryError) -> Secret {
        let content = Mutex<[UInt8]>([])
        try await queue.run { _ in
            Self.content(of: path, shownAs: name).map { bytes in content.withLock { $0 = bytes } }
        }
        var bytes = content.withLock { $0 }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return try Self.secret(bytes, of: name)
    }

    private static func secret(_ bytes: [UInt8], of name: String) throws(DeliveryError) -> Secret {
        guard !bytes.isEmpty else { throw .transient("\(name) is empty") }
        return Secret(bytes: bytes)
    }

    private static func content(of path: String, shownAs name: String) -> Result<[UInt8], DeliveryError> {
        // Non-blocking, so that a FIFO is found out and not waited for.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return .failure(.transient("\(name) cannot be read: \(PlainText.error(errno))")) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(.transient("\(name) is not a regular file"))
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return .failure(.transient("\(name) cannot be read: \(PlainText.error(errno))")) }
            if count == 0 { return .success(bytes) }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { return .failure(.transient("\(name) has more than 64 KiB")) }
        }
    }
}
