/// A definition that is in force and how it stands, at one moment.
///
/// An object, so that a copy of ten thousand of them is a small array.
package struct ScheduleEntry: Sendable {
    private let held: Held

    private final class Held: Sendable {
        let row: ScheduleRow

        init(_ row: ScheduleRow) { self.row = row }
    }

    /// A definition in that state.
    package init(definition: Definition, state: ScheduleState) {
        self.init(ScheduleRow(definition, state, armedFor: nil))
    }

    init(_ row: ScheduleRow) {
        held = Held(row)
    }

    /// What the schedule holds.
    var row: ScheduleRow { held.row }
    /// What the files say.
    package var definition: Definition { row.definition }
    /// How far it has come, and what people have said.
    package var state: ScheduleState { row.state }
}

extension ScheduleEntry: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.held === right.held || left.definition == right.definition && left.state == right.state
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(definition.id)
        hasher.combine(state)
    }
}

/// What others may ask of the owner of the schedule.
package protocol ScheduleControl: Sendable {
    /// Everything that is in force, in no order; the cost is that of a small object each.
    func entries() async -> [ScheduleEntry]

    /// One of them.
    func entry(_ id: DefinitionID) async -> ScheduleEntry?

    /// Does what a person wants, and answers when it is in the store.
    func perform(_ request: ControlRequest) async throws(ControlRefusal) -> ScheduleEntry

    /// Does what a person wants with everything, and answers with what it concerned when it is in the store.
    func perform(_ control: GeneralControl) async throws(ControlRefusal) -> [ScheduleEntry]

    /// Sends a firing now, and answers when it is written; with `waits`, when each of its deliveries was attempted, with the outcomes.
    func fire(_ firing: Firing, waits: Bool) async throws(ControlRefusal) -> [DeliveryID: Outcome]

    /// The silence of everything; it may be over. Nil if there is none.
    func generalMute() async -> Overrides.Mute?

    /// The ids whose definition or state changed, in batches, from the call on; nil in place of a batch that got lost because the
    /// reader was slow: everything may have changed.
    func changes() -> AsyncStream<Set<DefinitionID>?>
}
