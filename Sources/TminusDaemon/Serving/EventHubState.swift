internal import NIOCore
internal import TminusControl
internal import TminusCore

/// The state of ``EventHub``: what the viewers know and when the next update is due. A value whose methods take `now`.
struct EventHubState: Sendable {
    /// The connected viewers, by number.
    private(set) var viewers: [UInt64: Viewer] = [:]
    /// The last version of each item sent to the viewers.
    private var shown: [DefinitionID: Item] = [:]
    /// The instants at which the words of items change next.
    private var queue = DueQueue<DefinitionID>()
    private var log: EventLog
    /// All items, as last sent to a viewer that sees all, and to a reader.
    private var snapshots: [Bool: ByteBuffer] = [:]
    /// The definitions that may have changed since the last step.
    private(set) var changed: Set<DefinitionID> = []
    /// The problems of the directory and its files, as last sent.
    private var problems: [String] = []
    /// Whether all items must be read: at the start, and after changes were missed.
    private(set) var needsAll = true
    /// The instant the last viewer left; nil while there are viewers or after the linger time.
    private(set) var idleSince: Timestamp?
    private var hasTold = false
    /// The viewers that want to be told the time.
    private var timeReaders: Set<UInt64> = []
    /// When they were told last; nil if nobody wants it.
    private var toldTime: ClockReading?
    /// The number of events that were sent, over all viewers.
    private(set) var sent: UInt64 = 0

    /// How long changes are tracked without viewers, so a viewer that reconnects can resume.
    private static let linger = Duration.seconds(30)
    /// How long until the next `clock` event for the viewers that asked for it.
    private static let timeInterval = Duration.seconds(15)

    /// Creates the state without viewers. `run` identifies this run of the daemon in event ids.
    init(run: String) {
        log = EventLog(run: run)
    }

    /// How many viewers came by each door.
    private(set) var viewersByDoor: [Door: Int] = [:]

    /// Whether changes must be tracked.
    var isActive: Bool { !viewers.isEmpty || idleSince != nil }

    /// Records definitions that may have changed; nil means any may have.
    mutating func note(_ ids: Set<DefinitionID>?) {
        guard isActive else {
            needsAll = true
            return
        }
        if let ids { changed.formUnion(ids) } else { needsAll = true }
    }

    /// Returns how long to wait after a step, so that further changes are batched.
    mutating func takePause() -> Duration? {
        defer { hasTold = false }
        return hasTold ? Self.pause(afterTelling: viewers.count) : nil
    }

    /// One update to a thousand viewers takes some milliseconds: 0.5 ms for each viewer, nothing for up to 20 of them. At most
    /// 250 ms, so that a change soon after another one is not late.
    static func pause(afterTelling viewers: Int) -> Duration? {
        viewers > 20 ? min(.microseconds(500) * viewers, .milliseconds(250)) : nil
    }

    /// The id of the last event. What is fetched from now on has at least the changes up to it.
    var position: String { log.position }

    /// Counts as a viewer that has just left: changes are tracked for one that comes with ``position``.
    mutating func expectViewer(now: Timestamp) {
        if viewers.isEmpty { idleSince = now }
    }

    /// Returns the instant of the next step, nil if none is due.
    mutating func nextDue(now: Timestamp) -> Timestamp? {
        guard isActive else { return nil }
        if viewers.isEmpty { return idleSince?.advanced(by: Self.linger) }
        if !changed.isEmpty || needsAll { return now }
        let time = toldTime?.now.advanced(by: Self.timeInterval)
        return [queue.next(), time].compactMap(\.self).min()
    }

    /// Tells the time to the viewers that want it, if it is due or the clock was set.
    mutating func tellTime(_ reading: ClockReading) {
        guard let told = toldTime else { return }
        let isDue = reading.steady >= told.steady.advanced(by: Self.timeInterval)
        guard isDue || reading.setBy != told.setBy else { return }
        toldTime = reading
        let bytes = ServerEvent.clock(now: reading.now)
        sent &+= UInt64(clamping: timeReaders.count)
        for id in timeReaders { send(bytes, to: id, now: reading.now) }
    }

    /// Removes and returns the items to check now. Goes idle if the linger time is over.
    mutating func takeDue(now: Timestamp) -> Set<DefinitionID> {
        if viewers.isEmpty, let idleSince, now >= idleSince.advanced(by: Self.linger) { sleep() }
        guard isActive else { return [] }
        while let id = queue.popFirst(upTo: now) { changed.insert(id) }
        defer { changed = [] }
        return changed
    }

    /// Replaces all items and sends the changed ones to the viewers.
    mutating func take(all looks: [ItemCache.Look], now: Timestamp) {
        needsAll = false
        // Nothing was sent before, so nothing counts as a change.
        if shown.isEmpty {
            for look in looks { show(look.item, look) }
            snapshots = [:]
        } else {
            let gone = Set(shown.keys).subtracting(looks.map(\.id))
            take(looks + gone.map { .init(id: $0, item: nil, end: .distantFuture) }, now: now)
        }
    }

    /// Updates some items and sends the changed ones to the viewers.
    mutating func take(_ looks: [ItemCache.Look], now: Timestamp) {
        var changes: [(id: String, item: Item?)] = []
        for look in looks {
            let former = shown[look.id]
            let isNews = look.item.map { item in former.map { item.differs(from: $0) } ?? true } ?? (former != nil)
            if isNews { changes.append((look.id.rawValue, look.item)) }
            show(isNews ? look.item : former, look)
        }
        guard !changes.isEmpty else { return }
        let events = log.append(changes)
        snapshots = [:]
        sent &+= UInt64(clamping: viewers.count) &* UInt64(clamping: changes.count)
        for viewer in viewers.values { send(events.bytes(seesAll: viewer.seesAll), to: viewer.id, now: now) }
        hasTold = true
    }

    /// Sends the problems of the directory and its files, if they have changed.
    mutating func take(problems: [String], now: Timestamp) {
        guard problems != self.problems else { return }
        self.problems = problems
        let bytes = log.append(problems: problems)
        sent &+= UInt64(clamping: viewers.values.count(where: \.seesAll))
        for viewer in viewers.values where viewer.seesAll { send(bytes, to: viewer.id, now: now) }
    }

    /// Adds a viewer and sends it the events it missed, or a snapshot. Requires that all items have been read.
    mutating func join(_ viewer: Viewer, _ reading: ClockReading) {
        viewers[viewer.id] = viewer
        viewersByDoor[viewer.door, default: 0] += 1
        idleSince = nil
        if viewer.wantsTime {
            timeReaders.insert(viewer.id)
            toldTime = toldTime ?? reading
        }
        let resumed = viewer.start.position.flatMap { log.since($0, seesAll: viewer.seesAll) }
        var missed = resumed ?? [currentSnapshot(seesAll: viewer.seesAll)]
        // The items say nothing of them, but who has followed the events knows them.
        let knows = if case .event = viewer.start { resumed != nil } else { false }
        if viewer.seesAll, !knows, !problems.isEmpty { missed.append(log.current(problems)) }
        sent &+= UInt64(clamping: missed.count)
        for bytes in missed { send(bytes, to: viewer.id, now: reading.now) }
    }

    /// Removes a viewer.
    mutating func leave(_ id: UInt64, now: Timestamp) {
        guard let viewer = viewers.removeValue(forKey: id) else { return }
        viewersByDoor[viewer.door, default: 0] -= 1
        timeReaders.remove(id)
        if timeReaders.isEmpty { toldTime = nil }
        if viewers.isEmpty { idleSince = now }
    }

    private mutating func send(_ bytes: ByteBuffer, to id: UInt64, now: Timestamp) {
        if let viewer = viewers[id], !viewer.send(bytes) { leave(id, now: now) }
    }

    /// Ends all streams.
    func end() {
        for viewer in viewers.values { viewer.end() }
    }

    private mutating func currentSnapshot(seesAll: Bool) -> ByteBuffer {
        if let snapshot = snapshots[seesAll] { return snapshot }
        let items = shown.values.sorted { ($0.due ?? .distantFuture, $0.id) < ($1.due ?? .distantFuture, $1.id) }
        let bytes = log.snapshot(seesAll ? items : items.map(\.forReaders))
        snapshots[seesAll] = bytes
        return bytes
    }

    /// Records that the viewers have `item`, which `look` may have found unchanged, and when to check it next.
    private mutating func show(_ item: Item?, _ look: ItemCache.Look) {
        shown[look.id] = item
        let due = item.map { min((look.item ?? $0).wordsChange ?? .distantFuture, look.end) } ?? .distantFuture
        queue[look.id] = due < .distantFuture ? due : nil
    }

    /// No viewer came back within the linger time: drops all items and stops tracking changes.
    private mutating func sleep() {
        idleSince = nil
        needsAll = true
        (shown, changed, problems) = ([:], [], [])
        queue = DueQueue()
        snapshots = [:]
        log = log.next
    }
}
