internal import Synchronization
internal import TminusControl
internal import TminusCore

/// The messages to ``EventHub``.
enum EventHubMessage: MailboxMessage {
    /// These definitions may have changed; nil means any may have.
    case changed(Set<DefinitionID>?)
    /// The problems of the directory and its files, one line each.
    case problems([String])
    /// A viewer connected.
    case joined(Viewer)
    /// The viewer with this number disconnected.
    case left(UInt64)
    /// Somebody is about to fetch the items and then to follow from this position; nil if the hub ends.
    case position(CheckedContinuation<String?, Never>)
    /// The next step is due.
    case due

    /// Merges the message with an equivalent one at the end of the queue, else appends it.
    func join(_ waiting: inout [EventHubMessage]) {
        switch (self, waiting.last) {
        case (.due, .due?): return
        case (.problems, .problems?): waiting[waiting.count - 1] = self
        case (.changed(let ids), .changed(let former)?):
            waiting[waiting.count - 1] = .changed(ids.flatMap { ids in former.map { $0.union(ids) } })
        default: waiting.append(self)
        }
    }
}

/// Sends changed items to its viewers: the loop around ``EventHubState``. Follows the schedule only while there are
/// viewers.
final class EventHub: Sendable {
    /// The messages to the hub.
    let inbox = Mailbox<EventHubMessage>()
    private let desk: any ScheduleControl
    private let cache: ItemCache
    private let status: StatusPublisher
    private let clock: any WallClock
    private let viewers = Mutex<[Door: Int]>([:])
    private let sent = Mutex<UInt64>(0)
    private let dropped = Mutex<UInt64>(0)

    /// A hub without viewers.
    init(desk: any ScheduleControl, cache: ItemCache, status: StatusPublisher, clock: any WallClock) {
        self.desk = desk
        self.cache = cache
        self.status = status
        self.clock = clock
    }

    /// The number of viewers, for the status.
    var viewerCount: Int { viewers.withLock { $0.values.reduce(0, +) } }

    /// The number of viewers that came by a door.
    func viewerCount(at door: Door) -> Int { viewers.withLock { $0[door] ?? 0 } }

    /// The number of events that were sent to viewers.
    var eventsSent: UInt64 { sent.withLock(\.self) }

    /// The number of viewers that were disconnected because they read too slowly.
    var viewersDropped: UInt64 { dropped.withLock(\.self) }

    /// A viewer was disconnected because it reads too slowly.
    func viewerDropped() { dropped.withLock { $0 += 1 } }

    /// Adds a viewer. Its output ends at once if the hub has ended.
    func join(_ viewer: Viewer) {
        if !inbox.send(.joined(viewer)) { viewer.end() }
    }

    /// The position from which a viewer misses nothing if it fetches the items after this call. The schedule is followed for
    /// half a minute, as if a viewer had just left.
    ///
    /// - Throws: `CancellationError` if the hub has ended.
    func position() async throws -> String {
        let position = await withCheckedContinuation { reply in
            if !inbox.send(.position(reply)) { reply.resume(returning: nil) }
        }
        guard let position else { throw CancellationError() }
        return position
    }

    /// Runs until it is cancelled, then ends all streams.
    func run() async {
        var state = EventHubState(run: String(UInt64.random(in: 0 ... .max), radix: 36))
        let alarm = clock.makeAlarm()
        var following: Task<Void, Never>?
        await withTaskGroup { group in
            group.addTask { [inbox] in for await _ in alarm.rings { inbox.send(.due) } }
            for await _ in inbox.signals {
                await work(&state, &following)
                viewers.withLock { $0 = state.viewersByDoor }
                sent.withLock { $0 = state.sent }
                if let pause = state.takePause() { try? await Task.sleep(for: pause) }
                alarm.set(state.nextDue(now: clock.now))
            }
            alarm.cancel()
            group.cancelAll()
        }
        following?.cancel()
        state.end()
        // Those who came during the shutdown.
        for message in inbox.close() {
            switch message {
            case .joined(let viewer): viewer.end()
            case .position(let reply): reply.resume(returning: nil)
            case .changed, .problems, .left, .due: break
            }
        }
    }

    /// Forwards changes of the schedule and of the directory's problems to the inbox. Runs only while there are viewers: otherwise each firing would
    /// wake two tasks for nothing.
    private func follow() -> Task<Void, Never> {
        let changes = desk.changes()
        let loads = status.changes
        return Task { [inbox, status] in
            await withTaskGroup { group in
                group.addTask { for await ids in changes { inbox.send(.changed(ids)) } }
                group.addTask { for await _ in loads { inbox.send(.problems(status.load.problemLines)) } }
            }
        }
    }

    private func work(_ state: inout EventHubState, _ following: inout Task<Void, Never>?) async {
        var joining: [Viewer] = []
        var asking: [CheckedContinuation<String?, Never>] = []
        var isChanged = state.needsAll
        for message in inbox.takeAll() {
            switch message {
            case .changed(let ids):
                state.note(ids)
                isChanged = true
            case .problems(let lines): state.take(problems: lines, now: clock.now)
            case .joined(let viewer): joining.append(viewer)
            case .left(let id):
                state.leave(id, now: clock.now)
                joining.removeAll { $0.id == id }
            case .position(let reply):
                state.expectViewer(now: clock.now)
                asking.append(reply)
            case .due: break
            }
        }
        // Subscribe before reading all items, so no change in between is missed.
        if following == nil, state.isActive || !joining.isEmpty { following = follow() }
        if isChanged, state.isActive || !joining.isEmpty {
            await cache.readTroubled()
            await cache.readOutcomes(of: state.needsAll ? nil : state.changed, now: clock.now)
        }
        if state.needsAll, state.isActive || !joining.isEmpty {
            let now = clock.now
            state.take(all: await cache.looks(now: now), now: now)
        }
        for viewer in joining { state.join(viewer, clock.reading) }
        let now = clock.now
        let due = state.takeDue(now: now)
        if !due.isEmpty { state.take(await cache.looks(due, now: now), now: now) }
        state.tellTime(clock.reading)
        for reply in asking { reply.resume(returning: state.position) }
        if !state.isActive {
            following?.cancel()
            following = nil
            await cache.forgetOutcomes()
        }
    }
}
