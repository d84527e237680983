internal import TminusSystem

/// Why there is no live view.
package struct TerminalError: Error, Sendable, CustomStringConvertible {
    /// One sentence for users.
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The error of a system call.
    init(_ what: String, errno code: CInt) {
        description = "\(what): \(ErrorText.of(code))"
    }
}
