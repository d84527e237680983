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

    /// Returns all items in force, the next due first; ties by id.
    func all(now: Timestamp) async -> [Item] {
        let items = await looks(now: now).compactMap(\.item)
        // Sort indices: an item is large, and sorting moves elements often.
        var order = items.enumerated().map { (due: $1.due ?? .distantFuture, number: $0) }
        order.sort { $0.due == $1.due ? items[$0.number].id < items[$1.number].id : $0.due < $1.due }
        return order.map { items[$0.number] }
    }

    /// Returns one item, nil if the id is unknown.
    func item(_ id: DefinitionID, now: Timestamp) async -> Item? {
        await looks([id], now: now).first?.item
    }

    /// Looks at all definitions in force, in no particular order.
    func looks(now: Timestamp) async -> [Look] {
        let entries = await desk.entries()
        if kept.count > entries.count {
            let ids = Set(entries.map(\.definition.id))
            kept = kept.filter { ids.contains($0.key) }
        }
        return entries.map { look(at: $0, now: now) }
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

    private func look(at entry: ScheduleEntry, now: Timestamp) -> Look {
        let id = entry.definition.id
        let outlook: Outlook
        if let kept = kept[id], kept.entry == entry, now < kept.outlook.end {
            outlook = kept.outlook
        } else {
            outlook = Outlook(entry, now: now)
            kept[id] = Kept(entry: entry, outlook: outlook)
        }
        return Look(id: id, item: Item(entry, outlook, now: now), end: outlook.end)
    }
}
