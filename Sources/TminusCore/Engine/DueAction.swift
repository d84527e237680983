/// An action of a definition that has come due, before any policy looked at it.
struct DueAction: Sendable, Hashable {
    var occurrence: Timestamp
    var action: FiringAction
    var due: Timestamp
    var sinks: [SinkKey]

    /// By due instant; at the same instant reminders before the expiry.
    static func areInOrder(_ left: Self, _ right: Self) -> Bool {
        if left.due != right.due { return left.due < right.due }
        if left.action == .expiry || right.action == .expiry {
            return left.action != .expiry && right.action == .expiry
        }
        return left.occurrence < right.occurrence
    }
}
