/// An action of a definition that has come due, before any policy looked at it.
struct DueAction: Sendable, Hashable {
    var occurrence: Timestamp
    var action: FiringAction
    var due: Timestamp
    var sinks: [SinkKey]
}

/// What the progress of one definition up to `now` yields.
struct Progress: Sendable {
    /// The state after it.
    var state: ScheduleState
    /// What came due, in the order of the due instants.
    var actions: [DueAction] = []
    /// What came due so long ago, or so often, that it is only counted.
    var omissions: [Omission] = []
}
