/// What the engine has counted since the start, for metrics. The engine hands a copy over when it is asked whether it
/// works; in between nobody but the engine has it, so that counting copies nothing.
package struct EngineFigures: Sendable, Equatable {
    /// The number of steps.
    package internal(set) var steps: UInt64 = 0
    /// Written firings, by the place of their kind of action.
    package private(set) var firings = [UInt64](repeating: 0, count: FiringAction.Kind.allCases.count)
    /// Written omissions, by reason.
    package private(set) var omissions: [Omission.Reason: UInt64] = [:]
    /// From the instant for which the engine was to wake to its step.
    package internal(set) var lag = Histogram.lateness
    /// What the dispatching half counts.
    package internal(set) var dispatch = DispatchFigures()
    /// The attempts that run, by the place of their sink.
    package internal(set) var running: [Int: Int] = [:]
    /// The definitions in force.
    package internal(set) var definitions = DefinitionCounts()
    /// Until when everything is muted; nil: it is not.
    package internal(set) var mutedUntil: Timestamp?
    /// When something is due next; nil: nothing is to come.
    package internal(set) var nextDue: Timestamp?

    /// Counts without anything.
    package init() {}

    /// A commit is written.
    mutating func written(_ commit: Commit) {
        for firing in commit.firings { firings[firing.action.kind.place] &+= 1 }
        for settlement in commit.settlements where !settlement.firings.isEmpty {
            for firing in settlement.firings { firings[firing.action.kind.place] &+= 1 }
        }
        for omission in commit.omissions { omissions[omission.reason, default: 0] &+= UInt64(max(0, omission.count)) }
    }
}

/// How many definitions are in force, by kind and state.
package struct DefinitionCounts: Sendable, Equatable {
    /// The states, with the words of `tminus list`.
    package enum State: Int, Sendable, CaseIterable {
        case upcoming, idle, running, paused, acting, expired, disabled

        /// The word.
        package var word: String { "\(self)" }
    }

    private var counts = [Int](repeating: 0, count: DefinitionKind.allCases.count * State.allCases.count)

    /// No definitions.
    init() {}

    /// Adds `change` to the count for a definition in a phase.
    mutating func add(_ change: Int, _ definition: Definition, _ phase: ScheduleState.Phase) {
        counts[Self.place(definition.kind, Self.state(definition, phase))] += change
    }

    /// How many there are.
    package func count(_ kind: DefinitionKind, _ state: State) -> Int { counts[Self.place(kind, state)] }

    private static func state(_ definition: Definition, _ phase: ScheduleState.Phase) -> State {
        guard definition.isEnabled else { return .disabled }
        return switch phase {
        case .idle: .idle
        case .armed: definition.kind == .event ? .upcoming : .running
        case .paused: .paused
        case .acting: .acting
        case .expired: .expired
        }
    }

    private static func place(_ kind: DefinitionKind, _ state: State) -> Int {
        let row =
            switch kind {
            case .event: 0
            case .timer: 1
            case .stopwatch: 2
            }
        return row * State.allCases.count + state.rawValue
    }
}
