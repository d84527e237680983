/// The stored progress of all schedules.
public struct StoreSnapshot: Sendable, Equatable {
    /// The states of all definitions, including removed ones.
    public var schedules: [ScheduleState]
    /// Expiries of schedules in phase `acting` that still have an open delivery.
    public var openExpiries: Set<EndedExpiry>
    /// The number of stored schedules that cannot be read and are left out. Their definitions start from the beginning.
    public var unreadable: Int
    /// The last general mute that was not cancelled; it may be over already.
    public var mute: Overrides.Mute?

    /// A snapshot.
    public init(
        schedules: [ScheduleState] = [], openExpiries: Set<EndedExpiry> = [], unreadable: Int = 0,
        mute: Overrides.Mute? = nil
    ) {
        self.schedules = schedules
        self.openExpiries = openExpiries
        self.unreadable = unreadable
        self.mute = mute
    }
}

/// Identifies an expiry for the schedule that waits for its actions.
public struct EndedExpiry: Sendable, Hashable {
    /// The definition.
    public var definition: DefinitionID
    /// The instant of the occurrence.
    public var occurrence: Timestamp

    /// The expiry of `definition` at `occurrence`.
    public init(definition: DefinitionID, occurrence: Timestamp) {
        self.definition = definition
        self.occurrence = occurrence
    }
}
