import Glibc
package import TminusCore
import TminusSystem

/// Where a secret comes from: `{ env: NAME }`, `{ file: path }` or `{ credential: name }`.
///
/// A definition holds the source, which may be shown. The value is read at each use and stored nowhere, so a rotation needs no reload.
package struct SecretSource: Sendable {
    /// The place, as written.
    package enum Place: Sendable, Hashable {
        /// A variable in the environment of the daemon.
        case variable(String)
        /// An absolute path.
        case file(String)
        /// The name of a credential of the service manager (systemd.exec(5), LoadCredential).
        case credential(String)
    }

    /// The most bytes that a secret may have.
    static let limit = 65_536
    /// The forms of a secret.
    static let options = KeyTable(
        "a secret",
        [
            .init("env", .text, "a variable in the environment of tminus"),
            .init("file", .text, "the path of a file; a line break at its end does not count"),
            .init("credential", .text, "a credential that systemd passes on (LoadCredential=)"),
        ])

    /// The place, as written.
    package let place: Place
    /// One for each source, so that a hanging file system delays no other secret.
    private let queue = BlockingQueue(label: "tminus.secret")

    /// The secret of a place.
    package init(_ place: Place) {
        self.place = place
    }

    /// Decodes the value of `key`; nil if it is wrong, which has been reported.
    package init?(_ node: Node, for key: String, context: SinkContext, _ diagnostics: DiagnosticBag) {
        guard case .mapping(let entries) = node.content else {
            // The message does not repeat the text, which may be the secret itself.
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
        reader.needs(need, at: form)
    }

    /// The place, as something that has to be there.
    private var need: SinkNeed.Thing {
        switch place {
        case .variable(let name): .variable(name)
        case .file(let path): .secretFile(path)
        case .credential(let name): .credential(name)
        }
    }

    /// Reads the secret.
    ///
    /// - Throws: A transient error, because someone may correct the place. It names the place and never holds the value.
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
        var bytes = try await queue.run { _ throws(DeliveryError) in
            do throws(FileBytes.Problem) {
                return try FileBytes.content(of: path, limit: Self.limit)
            } catch {
                switch error {
                case .failed: throw .transient("\(name) cannot be read: \(error.text)")
                case .notRegular: throw .transient("\(name) is not a regular file")
                case .tooLarge: throw .transient("\(name) has more than 64 KiB")
                }
            }
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return try Self.secret(bytes, of: name)
    }

    private static func secret(_ bytes: [UInt8], of name: String) throws(DeliveryError) -> Secret {
        guard !bytes.isEmpty else { throw .transient("\(name) is empty") }
        return Secret(bytes: bytes)
    }
}

/// A value that no log, message or listing may show. Printed, it says nothing.
package struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value itself. At least one byte; need not be UTF-8.
    package let bytes: [UInt8]

    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
