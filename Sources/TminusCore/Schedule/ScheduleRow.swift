/// One definition that is in force, and its state, in 64 bytes: most of the schedule's memory is in the rows.
struct ScheduleRow: Sendable {
    /// What the files say.
    let definition: Definition
    private let form: Form

    /// A definition in that state.
    init(_ definition: Definition, _ state: ScheduleState) {
        self.definition = definition
        let common = Common(state)
        form = common.state(of: definition) == state ? .common(common) : .whole(state)
    }

    /// Where it stands, without the rest of its state.
    var phase: ScheduleState.Phase {
        switch form {
        case .common(let common): common.phase
        case .whole(let state): state.phase
        }
    }

    /// How it stands.
    var state: ScheduleState {
        switch form {
        case .common(let common): common.state(of: definition)
        case .whole(let state): state
        }
    }
}

extension ScheduleRow {
    /// A state takes five times as much memory as the fields that are set in nearly every state.
    private enum Form: Sendable {
        case common(Common)
        indirect case whole(ScheduleState)
    }

    private struct Common: Sendable {
        let fingerprint: UInt64
        let leads: UInt64
        let cursor: Timestamp
        let start: Timestamp?
        let phase: ScheduleState.Phase
        let occurrences: UInt32
        let deadline: Timestamp?

        init(_ state: ScheduleState) {
            fingerprint = state.fingerprint
            leads = state.leads
            cursor = state.cursor
            start = state.start
            phase = state.phase
            occurrences = UInt32(truncatingIfNeeded: state.occurrences)
            deadline = state.deadline
        }

        func state(of definition: Definition) -> ScheduleState {
            ScheduleState(
                id: definition.id, kind: definition.kind, fingerprint: fingerprint, leads: leads, phase: phase,
                cursor: cursor, start: start, deadline: deadline, occurrences: Int(occurrences),
                isDisabled: !definition.isEnabled)
        }
    }
}
