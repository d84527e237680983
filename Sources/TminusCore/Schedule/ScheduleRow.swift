/// One definition that is in force and how it stands, in 48 bytes: of a million of them, most of the memory is here.
///
/// It holds what is set of nearly every schedule; the rest is an object of which most have none.
struct ScheduleRow: Sendable {
    /// What the files say.
    let definition: Definition
    private let rest: Rest?
    private let cursor: Timestamp
    private let start: Timestamp
    private let deadline: Timestamp
    private let occurrences: UInt32
    private let phase: ScheduleState.Phase
    private let kind: DefinitionKind
    private let instants: Instants

    /// A definition in that state.
    init(_ definition: Definition, _ state: ScheduleState) {
        self.definition = definition
        rest = Rest.isNeeded(for: state, of: definition) ? Rest(state) : nil
        cursor = state.cursor
        start = state.start ?? .distantPast
        deadline = state.deadline ?? .distantPast
        occurrences = UInt32(truncatingIfNeeded: state.occurrences)
        phase = state.phase
        kind = state.kind
        var instants: Instants = []
        if state.start != nil { instants.insert(.start) }
        if state.deadline != nil { instants.insert(.deadline) }
        self.instants = instants
    }

    /// How it stands.
    var state: ScheduleState {
        ScheduleState(
            id: definition.id, kind: kind, revision: rest?.revision ?? .of(definition), phase: phase, cursor: cursor,
            start: instants.contains(.start) ? start : nil, deadline: instants.contains(.deadline) ? deadline : nil,
            occurrences: rest?.occurrences ?? Int(occurrences), rare: rest?.rare)
    }

    /// Whether a state is the one that it holds. What moves nearly always is compared first, and mostly alone.
    func holds(_ state: ScheduleState) -> Bool { cursor == state.cursor && self.state == state }
}

extension ScheduleRow {
    /// Which instants are set.
    private struct Instants: OptionSet, Sendable {
        var rawValue: UInt8
        static let start = Self(rawValue: 1)
        static let deadline = Self(rawValue: 2)
    }

    /// What is set of few schedules. It never changes.
    private final class Rest: Sendable {
        let revision: StateRevision
        let occurrences: Int
        let rare: Box<ScheduleState.Rare>?

        /// Whether any of it is set in a state. Asked before one is made: an object that cannot be made is allocated all the same.
        static func isNeeded(for state: ScheduleState, of definition: Definition) -> Bool {
            guard case .of(let other) = state.revision, other.isSame(as: definition) else { return true }
            return UInt32(exactly: state.occurrences) == nil || state.rare != nil
        }

        /// What is set in a state.
        init(_ state: ScheduleState) {
            revision = state.revision
            occurrences = state.occurrences
            rare = state.rare
        }
    }
}
