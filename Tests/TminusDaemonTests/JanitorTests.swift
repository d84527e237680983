import Logging
import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Janitor")
struct JanitorTests {
    @Test("old records are removed at the start and hourly, also after a failure")
    func hourly() async throws {
        let (clock, store, log) = (ManualClock(now: at(0)), TroubledStore(), LogRecord())
        let engine = Mailbox<EngineInput>()
        let definitions = LoaderClient(Mailbox<LoaderInput>())
        let running = Task {
            try await Janitor(
                store: store, clock: clock, engine: engine, schedule: Entries(), definitions: definitions,
                owner: "me", logger: log.logger
            ).run()
        }
        for hour in 1...72 {
            #expect(await clock.waitForDeadline(at(Double(hour) * 3_600), upTo: Bounded.limit))
            #expect(store.calls(.prune) == hour)
            if hour == 24 { store.refuse(.prune) } else { store.work() }
            clock.advance(by: .seconds(3_600))
        }
        try await store.waitForCalls(.prune, 73)
        #expect(store.calls(.release) == 73)
        #expect(log.count(.warning) == 1)
        running.cancel()
        try await Bounded.value("the end of the janitor") { try await running.value }
    }

    @Test("a definition without a file is forgotten a day after its end unless something of it is to come")
    func finished() async throws {
        func entry(_ id: String, file: String, _ phase: ScheduleState.Phase, deadline: Double) -> ScheduleEntry {
            var definition = Definition.timer(id)
            definition.origin.file = file
            let state = ScheduleState(
                id: definition.id, kind: .timer, fingerprint: 0, leads: 0, phase: phase, cursor: at(0), start: at(0),
                deadline: at(deadline))
            return ScheduleEntry(definition: definition, state: state)
        }
        func adHoc(_ id: String) -> String { SourceLocation.adHoc(.test(id)) }
        var snoozed = entry("snoozed", file: adHoc("snoozed"), .expired, deadline: 60)
        var state = snoozed.state
        state.overrides.snooze = Overrides.Snooze(
            occurrence: at(60), until: at(900_000), origin: Overrides.Origin(by: "ada", at: at(0)))
        snoozed = ScheduleEntry(definition: snoozed.definition, state: state)
        let entries = Entries(all: [
            entry("over", file: adHoc("over"), .expired, deadline: 60),
            entry("in-file", file: "a.yaml", .expired, deadline: 60),
            entry("running", file: adHoc("running"), .armed, deadline: 60), snoozed,
            entry("lately", file: adHoc("lately"), .expired, deadline: 3_700),
        ])
        let (clock, inbox) = (ManualClock(now: at(86_460)), Mailbox<LoaderInput>())
        let definitions = LoaderClient(inbox)
        let running = Task {
            try await Janitor(
                store: TroubledStore(), clock: clock, engine: Mailbox<EngineInput>(), schedule: entries,
                definitions: definitions, owner: "me", logger: LogRecord().logger
            ).run()
        }
        #expect(await clock.waitForDeadline(at(86_460 + 3_600), upTo: Bounded.limit))
        #expect(inbox.takeAll().isEmpty)
        clock.advance(by: .seconds(3_600))
        #expect(await clock.waitForDeadline(at(86_460 + 7_200), upTo: Bounded.limit))
        let asked = inbox.takeAll().map { input -> [String] in
            if case .request(.forget(let ids)) = input { ids.map(\.rawValue) } else { [] }
        }
        #expect(asked == [["over"]])
        running.cancel()
        try await Bounded.value("the end of the janitor") { try await running.value }
    }
}

/// A schedule that does not move.
private struct Entries: ScheduleControl {
    var all: [ScheduleEntry] = []

    func page(from _: UInt32, limit _: Int) async -> SchedulePage { SchedulePage(entries: all) }
    func entry(_ id: DefinitionID) async -> ScheduleEntry? { all.first { $0.definition.id == id } }
    func perform(_: ControlRequest) async throws(ControlRefusal) -> ScheduleEntry { throw .unknown }
    func perform(_: GeneralControl) async throws(ControlRefusal) -> [ScheduleEntry] { [] }
    func fire(_: Firing, waits: Bool) async throws(ControlRefusal) -> [DeliveryID: Outcome] { [:] }
    func generalMute() async -> Overrides.Mute? { nil }
    func sinkTitles(_: [SinkKey]) async -> [SinkKey: String] { [:] }
    func drafts(of _: [Delivery]) async -> [DeliveryID: DeliveryDraft] { [:] }
    func changes() -> AsyncStream<Set<DefinitionID>?> { AsyncStream { $0.finish() } }
}
