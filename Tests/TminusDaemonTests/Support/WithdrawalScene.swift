import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

/// An engine in which a delivery of the definition `x` waits for a retry, in second 600.
struct WithdrawalScene: Sendable {
    /// What waits.
    enum Waiting: String, Sendable, CaseIterable {
        case reminder, expiry, alert, miss
    }

    let harness: DaemonHarness
    let recording = Recording { $0.attempt == 1 ? .fail(.transient("busy")) : .deliver }
    let definition: Definition
    private let waiting: Waiting
    private let marks = Recording()

    init(
        _ waiting: Waiting, of kind: DefinitionKind, store: TroubledStore = TroubledStore(), now: Double = 0,
        owner: String = "me"
    ) {
        harness = DaemonHarness(owner: owner, store: store, now: at(now))
        self.waiting = waiting
        definition = Self.definition(waiting, kind)
    }

    private static func definition(_ waiting: Waiting, _ kind: DefinitionKind) -> Definition {
        switch (waiting, kind) {
        case (.reminder, .timer): return .timer("x", .seconds(3_600), remind: [.seconds(3_000)])
        case (_, .timer): return .timer("x", .seconds(600), .immediately)
        case (.alert, _):
            var definition = Definition.timer("x")
            definition.schedule = .stopwatch(Stopwatch(start: .auto, alerts: [.seconds(600)]))
            (definition.onElapsed, definition.onExpiry) = ([SinkKey("s")], [])
            return definition
        case (.reminder, _):
            var definition = Definition.event("x", at: [at(3_600)])
            definition.reminders = [Reminder(CalendarSpan(nanoseconds: 3_000_000_000_000), actions: [SinkKey("s")])]
            return definition
        case (.expiry, _): return .event("x", at: [at(600), at(3_600)])
        case (.miss, _):
            var definition = Definition.event("x", at: [at(300), at(3_600)])
            (definition.grace, definition.onFailure) = (.seconds(60), [SinkKey("s")])
            return definition
        }
    }

    /// Runs the engine until the first attempt of the delivery has begun, and then `body`.
    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await harness.run { _ in
            load(definition)
            if waiting == .miss {
                try await harness.sleeps(until: at(300))
                harness.clock.set(to: at(600))
            } else {
                try await harness.advance(to: 600)
            }
            try await recording.waitForDeliveries(1, upTo: Bounded.limit)
            try await body()
        }
    }

    /// Waits until the first attempt has failed.
    func waitsForRetry() async throws {
        try await harness.stored("one that waits for a retry") { $0.first?.state == .pending }
    }

    /// Puts `x` in force as it is given, and nothing else; nil: removes it.
    func load(_ definition: Definition?) {
        harness.load(definition.map { [$0] } ?? [], [recording.sink(), marks.sink("marks")])
    }

    /// Puts `x` in force with a change.
    func edit(_ change: (inout Definition) -> Void) {
        var edited = definition
        change(&edited)
        load(edited)
    }

    /// Applies a control to `x`.
    func control(_ control: Control) async throws {
        _ = try await harness.client.perform(ControlRequest(id: definition.id, control: control, by: "ada"))
    }

    /// Applies a control to everything.
    func controlAll(_ action: GeneralControl.Action) async throws {
        _ = try await harness.client.perform(GeneralControl(action, by: "ada"))
    }

    /// Lets time pass, and waits until everything has been attempted that was due: a test is claimed with it, and delivered.
    func pass(_ time: Duration = .zero) async throws {
        harness.clock.advance(by: time)
        let now = harness.clock.now
        let mark = Firing(
            definition: .test("mark"), occurrence: now, action: .test(of: .expiry, at: now), due: now, payload: .test,
            sinks: [SinkKey("marks")])
        #expect(try await harness.client.fire(mark, waits: true).values.map(\.self) == [.delivered])
    }

    /// The delivery that waited.
    func record() async throws -> DeliveryRecord { try #require(try await harness.records().first) }

    /// How often it was attempted.
    func attempts() async throws -> Int {
        let id = try await record().id
        return recording.deliveries.count { $0.id == id }
    }

    /// Expects that it was withdrawn after one attempt.
    func expectWithdrawn(_ reason: String) async throws {
        let record = try await record()
        #expect(record.state == .skipped && record.reason == reason)
        #expect(record.log.map(\.outcome) == [.retry] && record.nextAttempt == nil)
        #expect(try await attempts() == 1)
        let history = try await harness.store.history(of: definition.id, before: .distantFuture, limit: 9)
        let entries = history.filter { $0.occurrence == record.occurrence && $0.action == record.action }
        // The history has no notices of misses.
        #expect(entries.map(\.end) == (waiting == .miss ? [] : [.skipped(reason: reason)]))
    }

    /// Expects that it was delivered by the second attempt.
    func expectDelivered() async throws {
        let record = try await record()
        #expect(record.state == .delivered && record.reason == nil)
        #expect(record.log.map(\.outcome) == [.retry, .delivered])
        #expect(try await attempts() == 2)
    }
}

/// What a person does with a definition while something of it waits, and how it is taken back.
struct WithdrawalChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What it applies to.
    var kind = DefinitionKind.event
    /// Why a waiting reminder is withdrawn.
    let reason: String
    /// Whether everything is withdrawn, and not only reminders.
    var coversAll = false
    /// Whether it is an edit of a file.
    var isEdit = false
    /// What else than a reminder may wait. A stopwatch has no occurrence to be moved or skipped.
    var others: [WithdrawalScene.Waiting] = [.expiry, .alert, .miss]
    let make: @Sendable (WithdrawalScene) async throws -> Void
    var takeBack: @Sendable (WithdrawalScene) async throws -> Void = { $0.load($0.definition) }

    static let all: [WithdrawalChange] = [
        WithdrawalChange(
            testDescription: "an event is moved by a week", reason: "its occurrence was moved", isEdit: true,
            others: [.expiry, .miss], make: { $0.edit { $0.schedule = .event(Event(trigger: .at([at(608_400)]))) } }),
        timer("a timer gets another duration", isEdit: true) {
            $0.edit { $0.schedule = .timer(Timer(duration: .seconds(7_200), repetition: .immediately)) }
        } takeBack: {
            $0.load($0.definition)
        },
        timer("a timer is reset") { try await $0.control(.reset) },
        timer("a timer is stopped") {
            try await $0.control(.stop)
        } takeBack: {
            try await $0.control(.start(adding: nil))
        },
        timer("a timer is lengthened") { try await $0.control(.start(adding: .seconds(60))) },
        WithdrawalChange(
            testDescription: "it is removed", reason: "the definition was removed", isEdit: true,
            make: { $0.load(nil) }),
        WithdrawalChange(
            testDescription: "its occurrence is skipped", reason: "its occurrence was skipped",
            others: [.expiry, .miss], make: { try await $0.control(.skip) },
            takeBack: { try await $0.control(.unmute) }),
        WithdrawalChange(
            testDescription: "it is disabled", reason: "the definition was disabled", coversAll: true, isEdit: true,
            make: { $0.edit { $0.isEnabled = false } }),
        WithdrawalChange(
            testDescription: "it is muted", reason: "it was muted", coversAll: true,
            make: { try await $0.control(.mute(until: at(3_000))) }, takeBack: { try await $0.control(.unmute) }),
        WithdrawalChange(
            testDescription: "it is muted until the mute ends by itself", reason: "it was muted", coversAll: true,
            make: { try await $0.control(.mute(until: at(605))) }, takeBack: { _ in }),
        WithdrawalChange(
            testDescription: "everything is muted", reason: "it was muted", coversAll: true,
            make: { try await $0.controlAll(.mute(until: at(3_000))) },
            takeBack: { try await $0.controlAll(.unmute) }),
    ]

    /// A change of when a timer ends. `takeBack`: without one nothing can.
    private static func timer(
        _ name: String, isEdit: Bool = false, make: @escaping @Sendable (WithdrawalScene) async throws -> Void,
        takeBack: @escaping @Sendable (WithdrawalScene) async throws -> Void = { _ in }
    ) -> WithdrawalChange {
        WithdrawalChange(
            testDescription: name, kind: .timer, reason: "its occurrence was moved", isEdit: isEdit, others: [.expiry],
            make: make, takeBack: takeBack)
    }
}
