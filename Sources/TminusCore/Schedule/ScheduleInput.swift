/// What may happen to a scheduler.
package enum ScheduleInput: Sendable, Equatable {
    /// These definitions are in force, in place of all former ones. Some stay as they are, because a later edit decides about them.
    case definitions(DefinitionSet, except: Set<DefinitionID> = [])
    /// The same, where at most these are others than before.
    case changes(DefinitionSet, of: Set<DefinitionID>)
    /// Time has passed.
    case due
    /// The last open delivery of these expiries was settled.
    case ended([EndedExpiry])
    /// A person wants something done with one definition.
    case control(ControlRequest)
    /// A person wants something done with everything.
    case controlAll(GeneralControl)
    /// The wall clock was set by this much.
    case clockStepped(by: Duration)
    /// The machine slept for that long.
    case slept(for: Duration)
}

/// What a scheduler wants done after an input.
package struct ScheduleEffects: Sendable, Equatable {
    /// To be written in one transaction before anything else happens.
    package var commit = Commit()
    /// For the log.
    package var reports: [ScheduleReport] = []
    /// Whether more is due at this very moment than one step takes.
    package var isMoreDue = false
    /// How many occurrences the steps visited.
    package var visits = 0
    /// Definitions that are others than before, or gone; the schedules in ``commit`` have changed as well.
    package var changed: Set<DefinitionID> = []
    /// How many definitions were brought back from a clock that was far ahead.
    var corrected = 0
    /// The generation of the config directory that is in force once ``commit`` is written; nil: as before.
    package var generation: Int?
    /// What a control came to, to be told once the advance is written.
    package var answer: Result<ScheduleEntry, ControlRefusal>?
    /// The same of a control of everything, with the definitions that it concerned.
    package var generalAnswer: Result<[ScheduleEntry], ControlRefusal>?

    /// Nothing.
    package init() {}

    /// Adds those of a later input, to be written by the same commit.
    mutating func append(_ later: ScheduleEffects) {
        commit.append(later.commit)
        reports += later.reports
        isMoreDue = later.isMoreDue
        visits += later.visits
        changed.formUnion(later.changed)
        generation = later.generation ?? generation
        answer = later.answer ?? answer
        generalAnswer = later.generalAnswer ?? generalAnswer
    }
}

/// A change of the running set that a person wants to know of.
package enum ScheduleReport: Sendable, Hashable {
    /// Seen for the first time; with the next instant at which something is due.
    case added(DefinitionID, next: Timestamp?)
    /// Seen for the first time, and nothing of it will come by itself: its instants are past, or it waits to be started.
    case addedWithoutNext(DefinitionID, ScheduleState.Phase)
    /// Goes on after a start from what was stored; with the next instant at which something is due.
    case restored(DefinitionID, next: Timestamp?)
    /// Its schedule was changed.
    case rescheduled(DefinitionID, next: Timestamp?)
    /// Gone from the directory, or from the definitions without a file; what it would have fired is cancelled.
    case cancelled(DefinitionID, hadFile: Bool)
    /// Back in the directory within the time for which its state is kept.
    case resumed(DefinitionID, next: Timestamp?)
    /// The clock was far ahead before; so many definitions go on from now.
    case corrected(count: Int)
    /// A person had something done.
    indirect case controlled(ControlRequest)
    /// A person had something done with everything.
    indirect case controlledAll(GeneralControl)
    /// Something was due and is not sent.
    indirect case omitted(Omission)
}

extension Commit {
    /// Adds what the schedule decided later. A schedule that changed twice is written as it is last.
    fileprivate mutating func append(_ later: Commit) {
        if isEmpty {
            self = later
            return
        }
        sinks = later.sinks ?? sinks
        withdrawals += later.withdrawals
        schedules += later.schedules
        firings += later.firings
        omissions += later.omissions
        controls += later.controls
        mute = later.mute ?? mute
    }
}
