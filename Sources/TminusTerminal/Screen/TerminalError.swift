internal import TminusSystem

/// The reason why the live view cannot run.
package struct TerminalError: Error, Sendable, CustomStringConvertible {
    /// The message for the user.
    package let description: String

    /// Creates an error with a message.
    init(_ description: String) {
        self.description = description
    }

    /// Creates an error from a failed system call.
    init(_ what: String, errno code: CInt) {
        description = "\(what): \(ErrorText.of(code))"
    }
}
