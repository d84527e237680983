internal import TminusControl
internal import TminusCore

/// Makes items from the schedule. Caches what has to be computed from a definition until it may change.
actor ItemCache {
    /// An item at one instant.
    struct Look: Sendable {
        var id: DefinitionID
        /// Nil if the definition is not in force.
        var item: Item?
        /// The instant until which nothing but time changes.
        var end: Timestamp
    }

    private struct Kept {
        var entry: ScheduleEntry
        var outlook: Outlook
    }

    private let desk: any ScheduleControl
    private let store: any Store
    private var kept: [DefinitionID: Kept] = [:]

    /// The deliveries that are retried or dead, as last read.
    private var troubled: [DefinitionID: UndeliveredCount] = [:]

    /// The last outcomes, as last read, while there are viewers.
    private var last: [DefinitionID: Item.LastOutcome] = [:]

    /// An empty cache.
    init(desk: any ScheduleControl, store: any Store) {
        self.desk = desk
        self.store = store
    }

    /// Returns a part of the items in force, the next due first; see ``ScheduleControl/page(from:limit:)``. With `outcomes`,
    /// each has its last outcome.
    func page(
        from start: UInt32, limit: Int, outcomes: Bool = false, now: Timestamp
    ) async -> (items: [Item], next: UInt32?) {
        if start == 0 { await readTroubled() }
        let page = await desk.page(from: start, limit: limit)
        let isAll = start == 0 && page.next == nil
        if isAll { keepOnly(page.entries) }
        let ids = page.entries.map(\.definition.id)
        let last = outcomes ? (try? await store.lastOutcomes(of: ids, now: now)) ?? [:] : [:]
        let items = page.entries.compactMap { entry -> Item? in
            // What is read page by page is read once, and not worth the memory.
            var item = look(at: entry, now: now, keeps: isAll).item
            item?.lastOutcome = last[entry.definition.id].map { .init($0) }
            return item
        }
        return (items.sortedByDue(), page.next)
    }

    /// Reads which definitions have deliveries that are retried or dead. Keeps what was read before if the store fails.
    func readTroubled() async {
        if let all = try? await store.troubled(nil) { troubled = all }
    }

    /// Reads the last outcomes of definitions, nil for all in force, which ``looks(now:)`` and ``looks(_:now:)`` then have.
    func readOutcomes(of ids: Set<DefinitionID>?, now: Timestamp) async {
        let known: [DefinitionID]
        if let ids { known = ids.sorted() } else { known = await desk.ids() }
        guard let outcomes = try? await store.lastOutcomes(of: known, now: now) else { return }
        if ids == nil { last = [:] }
        for id in known { last[id] = outcomes[id].map { .init($0) } }
    }

    /// Forgets the last outcomes, when the last viewer has left.
    func forgetOutcomes() {
        last = [:]
    }

    /// Returns one item, nil if the id is unknown.
    func item(_ id: DefinitionID, now: Timestamp) async -> Item? {
        let own = try? await store.troubled(id)
        var item = await looks([id], now: now).first?.item
        if let own { item?.undelivered = own[id] }
        item?.lastOutcome = nil
        return item
    }

    /// Looks at all definitions in force, in no particular order.
    func looks(now: Timestamp) async -> [Look] {
        var entries: [ScheduleEntry] = []
        await desk.forEachPage { entries += $0 }
        keepOnly(entries)
        return entries.map { look(at: $0, now: now) }
    }

    private func keepOnly(_ entries: [ScheduleEntry]) {
        guard kept.count > entries.count else { return }
        let ids = Set(entries.map(\.definition.id))
        kept = kept.filter { ids.contains($0.key) }
    }

    /// Looks at some definitions, sorted by id.
    func looks(_ ids: Set<DefinitionID>, now: Timestamp) async -> [Look] {
        var looks: [Look] = []
        for id in ids.sorted() {
            if let entry = await desk.entry(id) {
                looks.append(look(at: entry, now: now))
            } else {
                kept[id] = nil
                looks.append(Look(id: id, item: nil, end: .distantFuture))
            }
        }
        return looks
    }

    private func look(at entry: ScheduleEntry, now: Timestamp, keeps: Bool = true) -> Look {
        let id = entry.definition.id
        let outlook: Outlook
        if let kept = kept[id], kept.entry == entry, now < kept.outlook.end {
            outlook = kept.outlook
        } else {
            outlook = Outlook(entry, now: now)
            if keeps { kept[id] = Kept(entry: entry, outlook: outlook) }
        }
        var item = Item(entry, outlook, now: now)
        item.undelivered = troubled[id]
        item.lastOutcome = last[id]
        return Look(id: id, item: item, end: outlook.end)
    }
}
