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
    private var kept: [DefinitionID: Kept] = [:]

    /// An empty cache.
    init(desk: any ScheduleControl) {
        self.desk = desk
    }

    /// Returns a part of the items in force, the next due first; see ``ScheduleControl/page(from:limit:)``.
    func page(from start: UInt32, limit: Int, now: Timestamp) async -> (items: [Item], next: UInt32?) {
        let page = await desk.page(from: start, limit: limit)
        let isAll = start == 0 && page.next == nil
        if isAll { keepOnly(page.entries) }
        // What is read page by page is read once, and not worth the memory.
        let items = page.entries.compactMap { look(at: $0, now: now, keeps: isAll).item }
        return (items.sortedByDue(), page.next)
    }

    /// Returns one item, nil if the id is unknown.
    func item(_ id: DefinitionID, now: Timestamp) async -> Item? {
        await looks([id], now: now).first?.item
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
        return Look(id: id, item: Item(entry, outlook, now: now), end: outlook.end)
    }
}
