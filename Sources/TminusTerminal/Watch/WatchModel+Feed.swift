internal import TminusControl

extension WatchModel {
    /// Takes in news of the items.
    mutating func take(_ change: FeedChange) {
        switch change {
        case .all(let all):
            items = Dictionary(all.map { ($0.id, $0) }) { _, last in last }
            isLoaded = true
            trouble = nil
            unreadable = [:]
            arrange()
        case .changed(let item):
            let former = items.updateValue(item, forKey: item.id)
            trouble = nil
            unreadable[item.id] = nil
            // Most news are of other words at the same place, and there may be thousands of items.
            if former?.group != item.group || former?.due != item.due { arrange() }
        case .gone(let id):
            items[id] = nil
            trouble = nil
            unreadable[id] = nil
            arrange()
        case .unreadable(let id, let reason):
            trouble = nil
            unreadable[id ?? ""] = reason
            // What is known of it is not true any more.
            if let id, items.removeValue(forKey: id) != nil { arrange() }
        case .lost(let reason):
            // The items stay and count on: they belong to the daemon, and it may well still run.
            trouble = reason
        }
    }

    /// Puts the items in order, and keeps the selection: by its id, or where it stood.
    private mutating func arrange() {
        let place = selectedIndex
        entries = Array(items.values).inGroups.flatMap { group in
            [Entry.head(group.group, group.items.count)] + group.items.map { .item($0.id) }
        }
        // Who watches one item waits for it to come back.
        let isKept = selection.map { items[$0] != nil || page == .large } ?? false
        if isLoaded, !isKept { selection = nearestID(place ?? 0) }
        scroll()
    }

    private func nearestID(_ index: Int) -> String? {
        let ids = self.ids
        let before = entries.prefix(index).count { if case .item = $0 { true } else { false } }
        return ids.isEmpty ? nil : ids[min(before, ids.count - 1)]
    }

    /// The items in order.
    package var ids: [String] { entries.compactMap { if case .item(let id) = $0 { id } else { nil } } }

    /// Where the selected item stands among the entries.
    var selectedIndex: Int? { selection.flatMap { entries.firstIndex(of: .item($0)) } }

    /// Moves the window so that the selected item is in it, with its head where that is right above.
    mutating func scroll() {
        let height = layout.body.count
        top = max(0, min(top, entries.count - height))
        guard let index = selectedIndex else { return }
        var first = index
        if index > 0, height > 1, case .head = entries[index - 1] { first -= 1 }
        if first < top { top = first }
        if index >= top + height { top = index - height + 1 }
    }
}
