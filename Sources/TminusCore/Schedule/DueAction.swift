/// An action of a definition that has come due, before any policy looked at it.
struct DueAction: Sendable, Hashable {
    var occurrence: Timestamp
    var action: FiringAction
    var due: Timestamp
    var sinks: [SinkKey]

    /// Whether it tells of the occurrence itself.
    var isExpiry: Bool { action.kind == .expiry }

    /// By due instant; at the same instant reminders before the expiry.
    static func areInOrder(_ left: Self, _ right: Self) -> Bool {
        if left.due != right.due { return left.due < right.due }
        if left.isExpiry || right.isExpiry { return !left.isExpiry && right.isExpiry }
        return left.occurrence < right.occurrence
    }
}
