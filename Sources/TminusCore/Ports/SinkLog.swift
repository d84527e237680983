/// The log for a sink: for messages that an operator needs and that do not belong to a delivery.
public struct SinkLog: Sendable {
    /// The severity of a line.
    public enum Level: Sendable, Hashable {
        /// Information.
        case notice
        /// A problem.
        case warning
    }

    private let write: @Sendable (Level, String) -> Void

    /// A log that passes each line to `write`.
    public init(_ write: @escaping @Sendable (Level, String) -> Void) {
        self.write = write
    }

    /// A log that discards all lines.
    public static let silent = SinkLog { _, _ in }

    /// Writes one line, which must not contain a secret.
    public func notice(_ text: String) { write(.notice, text) }

    /// Writes one line about a problem, which must not contain a secret.
    public func warning(_ text: String) { write(.warning, text) }
}
