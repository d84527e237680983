internal import Glibc

/// Why there is no live view.
package struct TerminalError: Error, Sendable, CustomStringConvertible {
    /// In words for people.
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// What a system call said.
    init(_ what: String, errno code: CInt) {
        description = "\(what): \(String(cString: strerror(code)))"
    }
}
