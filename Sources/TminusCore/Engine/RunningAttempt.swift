/// An attempt that runs.
struct RunningAttempt: Sendable {
    /// Why the end of an attempt is not what its sink says.
    enum Override: Sendable {
        /// A later occurrence took its place.
        case replaced
        /// The daemon stops.
        case interrupted
        /// A person discarded it: the store has recorded that, and ignores the end.
        case discarded
    }

    /// What was handed over.
    var delivery: Delivery
    /// The lane in which it runs.
    var lane: SinkLane.ID
    /// The places of its sink and of the kind of that in ``DispatchFigures``.
    var slots: (sink: Int, kind: Int)
    /// When it began, in steady time.
    var begun: Timestamp
    /// What to record in place of its own outcome, unless it was delivered.
    var override: Override?
    /// Whether the store will not have it tried again, because it was withdrawn meanwhile.
    var isWithdrawn = false
}
