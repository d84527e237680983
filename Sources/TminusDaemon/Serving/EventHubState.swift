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
    private var snapshot: ByteBuffer?
    private var changed: Set<DefinitionID> = []
    /// Whether all items must be read: at the start, and after changes were missed.
    private(set) var needsAll = true
    /// The instant the last viewer left; nil while there are viewers or after the linger time.
    private(set) var idleSince: Timestamp?
    private var hasTold = false

    /// How long changes are tracked without viewers, so a viewer that reconnects can resume.
    private static let linger = Duration.seconds(30)

    /// Creates the state without viewers. `run` identifies this run of the daemon in event ids.
    init(run: String) {
        log = EventLog(run: run)
    }

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

    /// Returns how long to wait after a step, so that further changes are batched: one update to a thousand viewers
    /// takes some milliseconds. The pause is 0.5 ms for each viewer, nothing for up to 20 viewers.
    mutating func takePause() -> Duration? {
        defer { hasTold = false }
        return hasTold && viewers.count > 20 ? .microseconds(500) * viewers.count : nil
    }

    /// Returns the instant of the next step, nil if none is due.
    mutating func nextDue(now: Timestamp) -> Timestamp? {
        guard isActive else { return nil }
        if viewers.isEmpty { return idleSince?.advanced(by: Self.linger) }
        if !changed.isEmpty || needsAll { return now }
        return queue.next()
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
    mutating func take(all items: [(Item, end: Timestamp)], now: Timestamp) {
        needsAll = false
        var gone = Set(shown.keys)
        var looks: [(DefinitionID, Item?, Timestamp)] = []
        for (item, end) in items {
            guard let id = DefinitionID(item.id) else { continue }
            gone.remove(id)
            looks.append((id, item, end))
        }
        looks += gone.map { ($0, nil, .distantFuture) }
        // Nothing was sent before, so nothing counts as a change.
        if shown.isEmpty {
            for (id, item, end) in looks { show(id, item, until: end) }
            snapshot = nil
        } else {
            take(looks, now: now)
        }
    }

    /// Updates some items, nil for removed ones, and sends the changed ones to the viewers.
    mutating func take(_ looks: [(DefinitionID, Item?, Timestamp)], now: Timestamp) {
        var changes: [(id: String, item: Item?)] = []
        for (id, item, end) in looks {
            let former = shown[id]
            let isNews = item.map { item in former.map { item.differs(from: $0) } ?? true } ?? (former != nil)
            if isNews { changes.append((id.rawValue, item)) }
            show(id, isNews ? item : former, until: end, wordsOf: item)
        }
        guard !changes.isEmpty else { return }
        let bytes = log.append(changes)
        snapshot = nil
        for viewer in viewers.values where !viewer.send(bytes) { leave(viewer.id, now: now) }
        hasTold = true
    }

    /// Adds a viewer and sends it the events it missed, or a snapshot. Requires that all items have been read.
    mutating func join(_ viewer: Viewer, now: Timestamp) {
        viewers[viewer.id] = viewer
        idleSince = nil
        let missed = viewer.lastEvent.flatMap { log.since($0) } ?? [currentSnapshot()]
        for bytes in missed where !viewer.send(bytes) { leave(viewer.id, now: now) }
    }

    /// Removes a viewer.
    mutating func leave(_ id: UInt64, now: Timestamp) {
        guard viewers.removeValue(forKey: id) != nil, viewers.isEmpty else { return }
        idleSince = now
    }

    /// Ends all streams.
    func end() {
        for viewer in viewers.values { viewer.end() }
    }

    private mutating func currentSnapshot() -> ByteBuffer {
        if let snapshot { return snapshot }
        let items = shown.values.sorted { ($0.due ?? .distantFuture, $0.id) < ($1.due ?? .distantFuture, $1.id) }
        let bytes = log.snapshot(items)
        snapshot = bytes
        return bytes
    }

    private mutating func show(_ id: DefinitionID, _ item: Item?, until end: Timestamp, wordsOf current: Item? = nil) {
        shown[id] = item
        let due = item.map { min((current ?? $0).wordsChange ?? .distantFuture, end) } ?? .distantFuture
        queue[id] = due < .distantFuture ? due : nil
    }

    /// No viewer came back within the linger time: drops all items and stops tracking changes.
    private mutating func sleep() {
        idleSince = nil
        needsAll = true
        (shown, changed) = ([:], [])
        queue = DueQueue()
        snapshot = nil
        log = log.next
    }
}
