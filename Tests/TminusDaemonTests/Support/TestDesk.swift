import TminusCore
import TminusTestKit

/// A schedule of entries that a test puts there. It takes start, pause and mute, and refuses other controls.
final class TestDesk: ScheduleControl {
    private struct State: Sendable {
        var entries: [DefinitionID: ScheduleEntry] = [:]
        var readers: [Int: AsyncStream<Set<DefinitionID>?>.Continuation] = [:]
        var lastReader = 0
        var requests: [ControlRequest] = []
        var mute: Overrides.Mute?
        var looks = 0
        var outcomes: [SinkKey: Outcome] = [:]
        var drafts: [SinkKey: @Sendable (Delivery) -> DeliveryDraft] = [:]
    }

    private let state = Watched(State())
    private let clock: any WallClock
    private let store: any Store

    init(clock: any WallClock, store: any Store) {
        self.clock = clock
        self.store = store
    }

    /// What was asked so far.
    var requests: [ControlRequest] { state.value.requests }

    /// How often an entry was asked for.
    var looks: Int { state.value.looks }

    /// How many follow the changes.
    var readers: Int { state.value.readers.count }

    /// Waits until so many follow the changes.
    func waitForReaders(_ count: Int) async throws {
        guard await state.wait(upTo: Bounded.limit, until: { $0.readers.count == count }) else {
            throw ConformanceFailure("\(readers) readers, not \(count)")
        }
    }

    /// Waits until an entry was asked for, and the number of those that follow the changes is no longer `readers`.
    func waitForLook(otherThan readers: Int) async throws {
        guard await state.wait(upTo: Bounded.limit, until: { $0.looks > 0 && $0.readers.count != readers }) else {
            throw ConformanceFailure("\(looks) looks, \(readers) readers still")
        }
    }

    /// Answers who waits for a firing with these outcomes.
    func answer(_ outcomes: [SinkKey: Outcome]) { state.update { $0.outcomes = outcomes } }

    /// Shows deliveries to that sink in this way.
    func draft(for sink: SinkKey, _ body: @escaping @Sendable (Delivery) -> DeliveryDraft) {
        state.update { $0.drafts[sink] = body }
    }

    /// What is in force.
    var current: [DefinitionID: ScheduleEntry] { state.value.entries }

    func page(from start: UInt32, limit: Int) async -> SchedulePage {
        let all = state.value.entries.values.sorted { $0.definition.id < $1.definition.id }
        let end = min(all.count, Int(start) + limit)
        return SchedulePage(
            entries: Array(all[min(Int(start), end)..<end]), next: end < all.count ? UInt32(end) : nil)
    }

    func entry(_ id: DefinitionID) async -> ScheduleEntry? {
        state.update { state in
            state.looks += 1
            return state.entries[id]
        }
    }

    func changes() -> AsyncStream<Set<DefinitionID>?> {
        let (stream, continuation) = AsyncStream.makeStream(of: Set<DefinitionID>?.self)
        let number = state.update { state in
            state.lastReader += 1
            state.readers[state.lastReader] = continuation
            return state.lastReader
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.update { _ = $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    func perform(_ request: ControlRequest) async throws(ControlRefusal) -> ScheduleEntry {
        state.update { $0.requests.append(request) }
        guard let former = await entry(request.id) else { throw .unknown }
        var state = former.state
        let now = clock.now
        switch (request.control, state.phase) {
        case (.start, .idle):
            state = ScheduleEntry.timer(request.id.rawValue, left: .seconds(60), of: .seconds(60), at: now).state
        case (.pause, .armed):
            state.phase = .paused
            state.heldSince = now
        case (.mute(let until), _):
            let origin = Overrides.Origin(by: request.by, at: now, note: request.note)
            state.overrides.mute = Overrides.Mute(until: until, origin: origin)
        default: throw .unfit(reason: "it is \(state.phase.rawValue)", fitting: [.start, .pause])
        }
        let entry = ScheduleEntry(definition: former.definition, state: state)
        put([entry])
        return entry
    }

    func perform(_ control: GeneralControl) async throws(ControlRefusal) -> [ScheduleEntry] {
        let now = clock.now
        let mute: Overrides.Mute? =
            if case .mute(let until) = control.action {
                Overrides.Mute(until: until, origin: Overrides.Origin(by: control.by, at: now, note: control.note))
            } else { nil }
        state.update { $0.mute = mute }
        let entries = current.values.map { former in
            var state = former.state
            state.overrides.mute = mute
            return ScheduleEntry(definition: former.definition, state: state)
        }
        put(entries)
        return entries
    }

    func fire(_ firing: Firing, waits: Bool) async throws(ControlRefusal) -> [DeliveryID: Outcome] {
        do throws(StoreError) {
            _ = try await store.commit(Commit(firings: [firing]), now: clock.now)
        } catch {
            throw .unwritten(reason: "\(error)")
        }
        guard waits else { return [:] }
        let outcomes = state.value.outcomes
        return firing.targets.reduce(into: [:]) { $0[$1.delivery] = outcomes[$1.sink] }
    }

    func generalMute() async -> Overrides.Mute? { state.value.mute }

    func sinkTitles(_ keys: [SinkKey]) async -> [SinkKey: String] {
        keys.reduce(into: [:]) { titles, key in
            if key.rawValue.contains(":") { titles[key] = "shell 'true' (a.yaml:1)" }
        }
    }

    func drafts(of deliveries: [Delivery]) async -> [DeliveryID: DeliveryDraft] {
        let drafts = state.value.drafts
        return deliveries.reduce(into: [:]) { $0[$1.id] = drafts[$1.sink]?($1) }
    }

    /// Puts these in force.
    func put(_ entries: [ScheduleEntry]) {
        change(Set(entries.map(\.definition.id))) { state in
            for entry in entries { state[entry.definition.id] = entry }
        }
    }

    /// Takes one out of force.
    func remove(_ id: String) {
        change([.test(id)]) { $0[.test(id)] = nil }
    }

    private func change(_ ids: Set<DefinitionID>, _ body: (inout [DefinitionID: ScheduleEntry]) -> Void) {
        let readers = state.update { state in
            body(&state.entries)
            return state.readers
        }
        for reader in readers.values { reader.yield(ids) }
    }
}

extension ScheduleEntry {
    /// A timer that runs.
    static func timer(_ id: String, left: Duration, of duration: Duration, at now: Timestamp) -> ScheduleEntry {
        let deadline = now.advanced(by: left)
        let definition = Definition.timer(id, duration)
        return ScheduleEntry(
            definition: definition,
            state: ScheduleState(
                id: definition.id, kind: .timer, fingerprint: 0, leads: 0, phase: .armed, cursor: now,
                start: deadline.advanced(by: .zero - duration), deadline: deadline))
    }

    /// A timer that waits to be started.
    static func idle(_ id: String) -> ScheduleEntry {
        let definition = Definition.timer(id)
        return ScheduleEntry(
            definition: definition,
            state: ScheduleState(
                id: definition.id, kind: .timer, fingerprint: 0, leads: 0, phase: .idle, cursor: at(0)))
    }
}
