/// The log as a sink sees it: for what an operator should know and no delivery can say.
public struct SinkLog: Sendable {
    /// How much a line matters.
    public enum Level: Sendable, Hashable {
        /// Worth knowing.
        case notice
        /// Something is wrong.
        case warning
    }

    private let write: @Sendable (Level, String) -> Void

    /// A log that hands each line to `write`.
    public init(_ write: @escaping @Sendable (Level, String) -> Void) {
        self.write = write
    }

    /// A log that nobody reads.
    public static let silent = SinkLog { _, _ in }

    /// Writes one line, which must hold no secret.
    public func notice(_ text: String) { write(.notice, text) }

    /// Writes one line about something wrong, which must hold no secret.
    public func warning(_ text: String) { write(.warning, text) }
}
