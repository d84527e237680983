internal import TminusControl

extension WatchModel {
    /// Applies a change from the feed.
    mutating func take(_ change: FeedChange) {
        switch change {
        case .all(let all):
            items = Dictionary(all.map { ($0.id, $0) }) { _, last in last }
            isLoaded = true
            trouble = nil
            // The snapshot is followed by the problems, if there are any.
            (unreadable, fileProblems) = ([:], [])
            arrange()
        case .changed(let item):
            let former = items.updateValue(item, forKey: item.id)
            trouble = nil
            unreadable[item.id] = nil
            // Most changes only affect the words and not the position, and there may be thousands of items.
            if former?.group != item.group || former?.due != item.due { arrange() }
        case .gone(let id):
            items[id] = nil
            trouble = nil
            unreadable[id] = nil
            arrange()
        case .unreadable(let id, let reason):
            trouble = nil
            unreadable[id ?? ""] = reason
            // The last known state is no longer true.
            if let id, items.removeValue(forKey: id) != nil { arrange() }
        case .problems(let lines):
            trouble = nil
            fileProblems = lines
        case .lost(let reason):
            // Keep the items counting, because the daemon may still be running.
            trouble = reason
        }
    }

    /// Sorts the items and keeps the selection, by id or else by position.
    private mutating func arrange() {
        let place = selectedIndex
        entries = Array(items.values).inGroups.flatMap { group in
            [Entry.head(group.group, group.items.count)] + group.items.map { .item($0.id) }
        }
        // An enlarged item stays selected after it is removed, because it may come back.
        let isKept = selection.map { items[$0] != nil || page == .large } ?? false
        if isLoaded, !isKept { selection = nearestID(place ?? 0) }
        scroll()
    }

    private func nearestID(_ index: Int) -> String? {
        let ids = self.ids
        let before = entries.prefix(index).count { if case .item = $0 { true } else { false } }
        return ids.isEmpty ? nil : ids[min(before, ids.count - 1)]
    }

    /// The ids in display order.
    package var ids: [String] { entries.compactMap { if case .item(let id) = $0 { id } else { nil } } }

    /// The index of the selected item in ``entries``.
    var selectedIndex: Int? { selection.flatMap { entries.firstIndex(of: .item($0)) } }

    /// Scrolls so that the selected item is visible, together with a heading directly above it.
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
