/// The stored progress of all schedules.
public struct StoreSnapshot: Sendable, Equatable {
    /// Of every definition, the removed ones among them.
    public var schedules: [ScheduleState]
    /// Expiries of schedules in phase `acting` that still have an open delivery.
    public var openExpiries: Set<EndedExpiry>
    /// How many stored schedules are left out because they cannot be read. Their definitions begin anew.
    public var unreadable: Int
    /// The silence of everything that was said last and not taken back; it may be over.
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

/// An expiry, identified for the schedule that waits for its actions.
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
