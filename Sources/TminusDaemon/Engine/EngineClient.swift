internal import Synchronization
internal import TminusCore

/// Asks the engine on behalf of others, and waits for its answers.
///
/// Every request gets an answer: what is asked after the engine has ended, or was not answered by then, is refused.
final class EngineClient: ScheduleControl {
    private struct State {
        var lastTicket: UInt64 = 0
        var waiting: [UInt64: (request: EngineRequest, reply: CheckedContinuation<EngineAnswer, Never>)] = [:]
        var isClosed = false
    }

    private static let stopping = ControlRefusal.unwritten(reason: "the daemon is stopping")
    private let state = Mutex(State())
    private let feed = ChangeFeed()
    private let engine: Mailbox<EngineInput>

    /// A client of the engine with that mailbox.
    init(_ engine: Mailbox<EngineInput>) { self.engine = engine }

    func page(from start: UInt32, limit: Int) async -> SchedulePage {
        guard case .page(let page) = await ask(.page(from: start, limit: limit)) else { return SchedulePage() }
        return page
    }

    func entry(_ id: DefinitionID) async -> ScheduleEntry? {
        guard case .entry(let entry) = await ask(.entry(id)) else { return nil }
        return entry
    }

    func generalMute() async -> Overrides.Mute? {
        guard case .mute(let mute) = await ask(.mute) else { return nil }
        return mute
    }

    func sinkTitles(_ keys: [SinkKey]) async -> [SinkKey: String] {
        guard case .sinkTitles(let titles) = await ask(.sinkTitles(keys)) else { return [:] }
        return titles
    }

    func drafts(of deliveries: [Delivery]) async -> [DeliveryID: DeliveryDraft] {
        guard case .drafts(let drafts) = await ask(.drafts(deliveries)) else { return [:] }
        return drafts
    }

    func perform(_ request: ControlRequest) async throws(ControlRefusal) -> ScheduleEntry {
        guard case .control(let result) = await ask(.control(request)) else { throw Self.stopping }
        return try result.get()
    }

    func perform(_ control: GeneralControl) async throws(ControlRefusal) -> [ScheduleEntry] {
        guard case .controlAll(let result) = await ask(.controlAll(control)) else { throw Self.stopping }
        return try result.get()
    }

    func fire(_ firing: Firing, waits: Bool) async throws(ControlRefusal) -> [DeliveryID: Outcome] {
        guard case .fire(let result) = await ask(.fire(firing, waits: waits)) else { throw Self.stopping }
        return try result.get()
    }

    func changes() -> AsyncStream<Set<DefinitionID>?> { feed.stream() }

    /// Sends changed definitions to those that follow ``changes()``, if there are any. For the engine.
    func publish(_ batch: () -> Set<DefinitionID>) { feed.publish(batch) }

    /// Answers a request. For the engine.
    func answer(_ answer: EngineAnswer, to ticket: UInt64) {
        state.withLock { $0.waiting.removeValue(forKey: ticket) }?.reply.resume(returning: answer)
    }

    /// Refuses what waits and what is asked from now on. For the engine.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values.map(\.self)
        }
        for (request, reply) in waiting { reply.resume(returning: request.refusal(Self.stopping)) }
        feed.finish()
    }

    private func ask(_ request: EngineRequest) async -> EngineAnswer {
        await withCheckedContinuation { reply in
            let ticket = state.withLock { state -> UInt64? in
                guard !state.isClosed else { return nil }
                state.lastTicket += 1
                state.waiting[state.lastTicket] = (request, reply)
                return state.lastTicket
            }
            if let ticket {
                engine.send(.request(request, ticket: ticket))
            } else {
                reply.resume(returning: request.refusal(Self.stopping))
            }
        }
    }
}
