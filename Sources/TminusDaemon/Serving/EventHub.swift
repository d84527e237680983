internal import Synchronization
internal import TminusControl
internal import TminusCore

/// What the event hub is told.
enum EventHubMessage: MailboxMessage {
    /// These may be others than before; nil: any may be.
    case changed(Set<DefinitionID>?)
    /// Somebody wants to follow.
    case joined(Viewer)
    /// Somebody does not any more.
    case left(UInt64)
    /// Time has passed.
    case due

    /// What is noted already is not noted twice; the others keep their order.
    func join(_ waiting: inout [EventHubMessage]) {
        switch (self, waiting.last) {
        case (.due, .due?): return
        case (.changed(let ids), .changed(let former)?):
            waiting[waiting.count - 1] = .changed(ids.flatMap { ids in former.map { $0.union(ids) } })
        default: waiting.append(self)
        }
    }
}

/// The loop around ``EventHubState``: follows the schedule for the viewers. It works only while there are any.
struct EventHub: Sendable {
    let desk: any ScheduleControl
    let cache: ItemCache
    let clock: any WallClock
    let inbox = Mailbox<EventHubMessage>()
    /// How many viewers there are, for the status.
    let viewerCount = ViewerCount()

    /// A number that others may read.
    final class ViewerCount: Sendable {
        private let value = Mutex(0)

        /// How many.
        var current: Int { value.withLock { $0 } }

        fileprivate func set(_ count: Int) { value.withLock { $0 = count } }
    }

    /// Runs until it is cancelled; then all viewers end.
    func run() async {
        var state = EventHubState(run: String(UInt64.random(in: 0 ... .max), radix: 36))
        let alarm = clock.makeAlarm()
        var following: Task<Void, Never>?
        await withTaskGroup { group in
            group.addTask { for await _ in alarm.rings { inbox.send(.due) } }
            for await _ in inbox.signals {
                await work(&state, &following)
                viewerCount.set(state.viewers.count)
                if let pause = state.takePause() { try? await Task.sleep(for: pause) }
                alarm.set(state.nextDue(now: clock.now))
            }
            alarm.cancel()
            group.cancelAll()
        }
        following?.cancel()
        state.end()
        // Who came while it ended.
        for case .joined(let viewer) in inbox.takeAll() { viewer.end() }
    }

    /// Passes on what changes. Without viewers nobody listens: each firing would wake two tasks for nothing.
    private func follow() -> Task<Void, Never> {
        let changes = desk.changes()
        return Task { for await ids in changes { inbox.send(.changed(ids)) } }
    }

    private func work(_ state: inout EventHubState, _ following: inout Task<Void, Never>?) async {
        var joining: [Viewer] = []
        for message in inbox.takeAll() {
            switch message {
            case .changed(let ids): state.note(ids)
            case .joined(let viewer): joining.append(viewer)
            case .left(let id):
                state.leave(id, now: clock.now)
                joining.removeAll { $0.id == id }
            case .due: break
            }
        }
        // Before all is looked at, so that nothing changes unseen in between.
        if following == nil, state.isActive || !joining.isEmpty { following = follow() }
        if state.needsAll, state.isActive || !joining.isEmpty {
            let now = clock.now
            var items: [(Item, end: Timestamp)] = []
            for item in await cache.all(now: now) {
                guard let id = DefinitionID(item.id) else { continue }
                items.append((item, await cache.end(id)))
            }
            state.take(all: items, now: now)
        }
        for viewer in joining { state.join(viewer, now: clock.now) }
        let now = clock.now
        let due = state.takeDue(now: now)
        if !due.isEmpty { state.take(await cache.items(due.sorted(), now: now), now: now) }
        if !state.isActive {
            following?.cancel()
            following = nil
        }
    }
}
