internal import TminusCore

/// Where others leave what they ask of the scheduler, which answers between two steps.
///
/// Nobody waits for ever: what is asked after the scheduler has ended, or was not answered by then, is refused.
final class SchedulerDesk: ScheduleDesk {
    /// What was asked, and who waits for the answer.
    enum Request: Sendable {
        case entries(CheckedContinuation<[ScheduleEntry], Never>)
        case entry(DefinitionID, CheckedContinuation<ScheduleEntry?, Never>)
        case mute(CheckedContinuation<Overrides.Mute?, Never>)
        case control(Control)
        case controlAll(GeneralControl)

        /// A control that somebody waits for.
        struct Control: Sendable {
            var request: ControlRequest
            var reply: CheckedContinuation<Result<ScheduleEntry, ControlRefusal>, Never>
        }

        /// The same of everything.
        struct GeneralControl: Sendable {
            var control: TminusCore.GeneralControl
            var reply: CheckedContinuation<Result<[ScheduleEntry], ControlRefusal>, Never>
        }
    }

    private let requests = RequestQueue<Request>()
    private let feed = ChangeFeed()
    private let scheduler: Mailbox<ScheduleInput>

    /// A desk of the scheduler with that mailbox.
    init(_ scheduler: Mailbox<ScheduleInput>) {
        self.scheduler = scheduler
    }

    func entries() async -> [ScheduleEntry] {
        await withCheckedContinuation { ask(.entries($0)) }
    }

    func entry(_ id: DefinitionID) async -> ScheduleEntry? {
        await withCheckedContinuation { ask(.entry(id, $0)) }
    }

    func perform(_ request: ControlRequest) async throws(ControlRefusal) -> ScheduleEntry {
        try await withCheckedContinuation { ask(.control(Request.Control(request: request, reply: $0))) }.get()
    }

    func perform(_ control: GeneralControl) async throws(ControlRefusal) -> [ScheduleEntry] {
        try await withCheckedContinuation {
            ask(.controlAll(Request.GeneralControl(control: control, reply: $0)))
        }.get()
    }

    func generalMute() async -> Overrides.Mute? {
        await withCheckedContinuation { ask(.mute($0)) }
    }

    func changes() -> AsyncStream<Set<DefinitionID>?> { feed.stream() }

    /// Everything asked so far, in order. For the scheduler.
    func takeAll() -> [Request] { requests.takeAll() }

    /// Tells who listens, if anybody does, that these definitions, or how they stand, are others than before. For the scheduler.
    func publish(_ batch: () -> Set<DefinitionID>) { feed.publish(batch) }

    /// Refuses what waits and what is asked from now on. For the scheduler.
    func close() {
        for request in requests.close() { request.refuse() }
        feed.finish()
    }

    private func ask(_ request: Request) {
        if requests.add(request) { scheduler.send(.due) } else { request.refuse() }
    }
}

extension SchedulerDesk.Request {
    /// Answers that there will be no answer.
    fileprivate func refuse() {
        switch self {
        case .entries(let reply): reply.resume(returning: [])
        case .entry(_, let reply): reply.resume(returning: nil)
        case .mute(let reply): reply.resume(returning: nil)
        case .control(let control): control.refuse("the daemon is stopping")
        case .controlAll(let control): control.refuse("the daemon is stopping")
        }
    }
}

extension SchedulerDesk.Request.Control {
    /// Answers that it was not done.
    func refuse(_ reason: String) { reply.resume(returning: .failure(.unwritten(reason: reason))) }
}

extension SchedulerDesk.Request.GeneralControl {
    /// Answers that it was not done.
    func refuse(_ reason: String) { reply.resume(returning: .failure(.unwritten(reason: reason))) }
}
