/// A definition that is in force and how it stands, at one moment.
package struct ScheduleEntry: Sendable {
    /// What the files say.
    package var definition: Definition
    /// How far it has come, and what people have said.
    package var state: ScheduleState

    /// A definition in that state.
    package init(definition: Definition, state: ScheduleState) {
        self.definition = definition
        self.state = state
    }
}

/// What others may ask of the owner of the schedule.
package protocol ScheduleDesk: Sendable {
    /// Everything that is in force, in no order; the cost is that of copying references.
    func entries() async -> [ScheduleEntry]

    /// One of them.
    func entry(_ id: DefinitionID) async -> ScheduleEntry?

    /// Does what a person wants, and answers when it is in the store.
    func perform(_ request: ControlRequest) async throws(ControlRefusal) -> ScheduleEntry

    /// The ids whose definition or state changed, in batches, from the call on; nil in place of a batch that got lost because the
    /// reader was slow: everything may have changed.
    func changes() -> AsyncStream<Set<DefinitionID>?>
}
