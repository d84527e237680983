internal import NIOCore
internal import TminusControl
internal import TminusCore

/// What the viewers know and when they are to be told next: a value that takes items with `now`.
struct EventHubState: Sendable {
    private(set) var viewers: [UInt64: Viewer] = [:]
    /// What the viewers were last told of each item.
    private var shown: [DefinitionID: Item] = [:]
    /// When the words for an item change next.
    private var queue = DueQueue()
    private var slots: [DefinitionID: UInt32] = [:]
    private var log: EventLog
    private var snapshot: ByteBuffer?
    private var changed: Set<DefinitionID> = []
    /// Whether all has to be looked at: at the beginning, and when changes were lost.
    private(set) var needsAll = true
    /// When the last viewer left.
    private(set) var idleSince: Timestamp?
    private var hasTold = false

    /// For who comes back, changes are noted for that long without viewers.
    private static let linger = Duration.seconds(30)

    /// Nobody looks yet.
    init(run: String) {
        log = EventLog(run: run)
    }

    /// Whether changes are of interest.
    var isActive: Bool { !viewers.isEmpty || idleSince != nil }

    /// Takes note that these may be others than before; nil: any may be.
    mutating func note(_ ids: Set<DefinitionID>?) {
        guard isActive else {
            needsAll = true
            return
        }
        if let ids { changed.formUnion(ids) } else { needsAll = true }
    }

    /// How long to wait after a step, so that what changes meanwhile is told together: telling a thousand viewers costs some
    /// milliseconds. Half a millisecond for each viewer, nothing for a few of them.
    mutating func takePause() -> Duration? {
        defer { hasTold = false }
        return hasTold && viewers.count > 20 ? .microseconds(500) * viewers.count : nil
    }

    /// When the next step is due.
    mutating func nextDue(now: Timestamp) -> Timestamp? {
        guard isActive else { return nil }
        if viewers.isEmpty { return idleSince?.advanced(by: Self.linger) }
        if !changed.isEmpty || needsAll { return now }
        return queue.next()
    }

    /// The items to look at now.
    mutating func takeDue(now: Timestamp) -> Set<DefinitionID> {
        if viewers.isEmpty, let idleSince, now >= idleSince.advanced(by: Self.linger) { sleep() }
        guard isActive else { return [] }
        while let first = queue.first(upTo: now) {
            queue.removeFirst()
            changed.insert(first.id)
        }
        defer { changed = [] }
        return changed
    }

    /// Takes in how all items stand now, in the place of what was known, and tells the viewers what is another.
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
        // What nobody was ever shown is no change.
        if shown.isEmpty {
            for (id, item, end) in looks { show(id, item, until: end) }
            snapshot = nil
        } else {
            take(looks, now: now)
        }
    }

    /// Takes in how some items stand now, nil for those that are gone, and tells the viewers what is another.
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

    /// Lets a viewer in. All items must have been taken in.
    mutating func join(_ viewer: Viewer, now: Timestamp) {
        viewers[viewer.id] = viewer
        idleSince = nil
        let missed = viewer.lastEvent.flatMap { log.since($0) } ?? [currentSnapshot()]
        for bytes in missed where !viewer.send(bytes) { leave(viewer.id, now: now) }
    }

    /// Forgets a viewer.
    mutating func leave(_ id: UInt64, now: Timestamp) {
        guard viewers.removeValue(forKey: id) != nil, viewers.isEmpty else { return }
        idleSince = now
    }

    /// Ends all viewers.
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
        guard let item else {
            if let slot = slots.removeValue(forKey: id) { queue.free(slot) }
            return
        }
        let due = min((current ?? item).wordsChange ?? .distantFuture, end)
        let slot = slots[id] ?? queue.slot(for: id)
        slots[id] = slot
        queue.arm(slot, at: due < .distantFuture ? due : nil)
    }

    /// Nobody has come back: what was known is not kept up any more.
    private mutating func sleep() {
        idleSince = nil
        needsAll = true
        (shown, slots, changed) = ([:], [:], [])
        queue = DueQueue()
        snapshot = nil
        log = log.next
    }
}
