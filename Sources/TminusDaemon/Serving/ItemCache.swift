internal import TminusControl
internal import TminusCore

/// Makes the items of the schedule, and caches what has to be computed from a definition until it may change.
actor ItemCache {
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

    /// All items in force, the next due first; ties by id.
    func all(now: Timestamp) async -> [Item] {
        let entries = await desk.entries()
        if kept.count > entries.count {
            let ids = Set(entries.map(\.definition.id))
            kept = kept.filter { ids.contains($0.key) }
        }
        let items = entries.map { item(of: $0, now: now) }
        // Sort indices: an item is large, and sorting moves elements often.
        var order = items.enumerated().map { (due: $1.due ?? .distantFuture, number: $0) }
        order.sort { $0.due == $1.due ? items[$0.number].id < items[$1.number].id : $0.due < $1.due }
        return order.map { items[$0.number] }
    }

    /// Returns one item, nil if the id is unknown.
    func item(_ id: DefinitionID, now: Timestamp) async -> Item? {
        guard let entry = await desk.entry(id) else {
            kept[id] = nil
            return nil
        }
        return item(of: entry, now: now)
    }

    /// Returns items, nil for removed ones, each with the instant until which nothing but time changes.
    func items(_ ids: some Sequence<DefinitionID>, now: Timestamp) async -> [(DefinitionID, Item?, Timestamp)] {
        var items: [(DefinitionID, Item?, Timestamp)] = []
        for id in ids {
            let item = await item(id, now: now)
            items.append((id, item, end(id)))
        }
        return items
    }

    /// Returns the instant until which nothing but time changes for an item.
    func end(_ id: DefinitionID) -> Timestamp { kept[id]?.outlook.end ?? .distantFuture }

    private func item(of entry: ScheduleEntry, now: Timestamp) -> Item {
        let id = entry.definition.id
        if let kept = kept[id], kept.entry == entry, now < kept.outlook.end {
            return Item(entry, kept.outlook, now: now)
        }
        let outlook = Outlook(entry, now: now)
        kept[id] = Kept(entry: entry, outlook: outlook)
        return Item(entry, outlook, now: now)
    }
}
