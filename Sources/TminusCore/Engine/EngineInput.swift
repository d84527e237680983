/// What may happen to the engine.
package enum EngineInput: Sendable {
    /// Time has passed, or the clock was set.
    case wake
    /// The definitions in force changed, or another input of the schedule alone.
    indirect case schedule(ScheduleInput)
    /// Somebody asks for something, and is answered by that ticket.
    indirect case request(EngineRequest, ticket: UInt64)
    /// An attempt ended.
    case ended(AttemptOutcome)
    /// Somebody asks whether the engine works. The turn that takes it carries a ``Pulse``.
    case ping
    /// The commit of an earlier turn came back.
    case committed(Result<Committed, StoreError>)
    /// There may be deliveries to claim: a person retries some, or expired claims were released.
    case hint
    /// The store answers again, after it did not, and may have lost ends of attempts.
    case storeAnswers
    /// A person discarded deliveries; the store has recorded it.
    case discarded(Discarded)
    /// Other machines of the fleet have attempted deliveries, or let go of some.
    case others(FleetNews)
    /// Begin nothing new, and end when what runs has ended.
    case stop
    /// The running attempts have had their time: cancel them.
    case giveUp
    /// Wait no longer for the cancelled attempts: the next start repeats their deliveries.
    case abandon
}

/// What others may ask of the engine.
package enum EngineRequest: Sendable {
    /// A part of what is in force; see ``ScheduleControl/page(from:limit:)``.
    case page(from: UInt32, limit: Int)
    /// One definition.
    case entry(DefinitionID)
    /// The general mute.
    case mute
    /// What people read of these sinks.
    case sinkTitles([SinkKey])
    /// What the sinks of these deliveries would send.
    case drafts([Delivery])
    /// Do something with one definition.
    case control(ControlRequest)
    /// Do something with everything.
    case controlAll(GeneralControl)
    /// Send a firing now; the answer comes when it is written or, with `waits`, when each of its deliveries was attempted or the time
    /// limits of its sinks are over.
    case fire(Firing, waits: Bool)
}

/// The answer to an ``EngineRequest``.
package enum EngineAnswer: Sendable {
    /// To ``EngineRequest/page(from:limit:)``.
    case page(SchedulePage)
    /// To ``EngineRequest/entry(_:)``; nil if there is none.
    case entry(ScheduleEntry?)
    /// To ``EngineRequest/mute``.
    case mute(Overrides.Mute?)
    /// To ``EngineRequest/sinkTitles(_:)``, as far as they are in force.
    case sinkTitles([SinkKey: String])
    /// To ``EngineRequest/drafts(_:)``, for sinks that are known.
    case drafts([DeliveryID: DeliveryDraft])
    /// To ``EngineRequest/control(_:)``.
    case control(Result<ScheduleEntry, ControlRefusal>)
    /// To ``EngineRequest/controlAll(_:)``, with the definitions that it concerned.
    case controlAll(Result<[ScheduleEntry], ControlRefusal>)
    /// To ``EngineRequest/fire(_:waits:)``, with the outcome of each delivery as far as it was waited for.
    case fire(Result<[DeliveryID: Outcome], ControlRefusal>)
}

/// Something that a person may want to know.
package enum EngineReport: Sendable {
    /// The running set changed.
    case schedule(ScheduleReport)
    /// A delivery ended, or is attempted again; with the title of its sink.
    case delivery(Delivery, Outcome, sink: String)
    /// The wall clock was set by this much.
    case clockSet(by: Duration)
    /// The machine slept for that long.
    case slept(for: Duration)
    /// A stored delivery is dead because it cannot be read.
    case unreadable(DeliveryID)
    /// Stored rows were moved out of the way because they cannot be read.
    case setAside([DamagedRow])
    /// The daemon stops and waits for so many attempts.
    case waiting(attempts: Int)
    /// The daemon ends without waiting for so many attempts.
    case abandoned(attempts: Int)
    /// The store refuses; it is tried again.
    case storeRefused(StoreError)
    /// The store works again.
    case storeWorks
    /// The engine ended with ends of attempts that the store refused: these deliveries are repeated after the next start.
    case unrecorded(Int, StoreError)
}

/// Whether the store does what it is asked.
package enum StoreHealth: Sendable, Hashable {
    /// It does.
    case works
    /// It refused what a person asked last.
    case refusesControls(String)
    /// It refuses; nothing fires, and deliveries and edits wait until it works again.
    case refuses(String)

    /// Why nothing can be written; nil if the store works, or refuses only controls.
    package var refusal: String? { if case .refuses(let reason) = self { reason } else { nil } }
}

/// The answer of a turn to ``EngineInput/ping``.
package struct Pulse: Sendable, Hashable {
    /// How long the commit before this turn has been on its way, in steady time; nil: none was, or it came back.
    package var commitAge: Duration?

    /// An answer.
    package init(commitAge: Duration? = nil) { self.commitAge = commitAge }
}

/// What the engine wants done after a step, in this order.
package struct Turn: Sendable {
    /// Attempts to cancel.
    package var cancel: [Attempt.Number] = []
    /// Attempts to begin.
    package var begin: [Attempt] = []
    /// To be written. The result comes back as ``EngineInput/committed(_:)``; until then there is no other commit.
    package var commit: Commit?
    /// Sinks that are not used any more, to be shut down.
    package var close: [any Sink] = []
    /// Answers by ticket.
    package var answers: [(ticket: UInt64, answer: EngineAnswer)] = []
    /// The answer to a ping; nil: there was none.
    package var pulse: Pulse?
    /// What was counted so far, together with ``pulse``.
    package var figures: EngineFigures?
    /// The generation of the config directory that is in force now; nil: as before.
    package var generation: Int?
    /// Definitions that changed, or whose state did.
    package var changed: Set<DefinitionID> = []
    /// How many schedules were written: after many, memory can be returned.
    package var schedulesWritten = 0
    /// How many occurrences of definitions were visited: the measure of a turn's work.
    package var visits = 0
    /// For the log, in order.
    package var reports: [EngineReport] = []
    /// What became known of the store; nil: nothing new.
    package var store: StoreHealth?
    /// When to wake the engine; nil: only when something happens.
    package var wakeAt: Timestamp?
    /// Whether the engine has stopped.
    package var isOver = false

    /// Nothing.
    package init() {}
}

extension EngineRequest {
    /// The answer that it was not done.
    package func refusal(_ refusal: ControlRefusal) -> EngineAnswer {
        switch self {
        case .page: .page(SchedulePage())
        case .entry: .entry(nil)
        case .mute: .mute(nil)
        case .sinkTitles: .sinkTitles([:])
        case .drafts: .drafts([:])
        case .control: .control(.failure(refusal))
        case .controlAll: .controlAll(.failure(refusal))
        case .fire: .fire(.failure(refusal))
        }
    }
}
