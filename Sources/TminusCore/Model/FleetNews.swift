/// What other machines of a fleet have done since the leader asked last.
public struct FleetNews: Sendable, Hashable {
    /// The definitions whose deliveries were attempted.
    public var definitions: Set<DefinitionID> = []
    /// How attempts ended.
    public var outcomes: [DeliveryID: Outcome] = [:]
    /// The expiries that have ended, on whichever machine, and that a schedule waits for.
    public var endedExpiries: [EndedExpiry] = []

    /// No news.
    public init() {}
}
