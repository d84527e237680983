package import TminusControl
package import TminusCore

/// What the live view shows and which part of it its user looks at: a value that takes inputs and returns effects.
package struct WatchModel: Sendable {
    /// Which time is shown, and how.
    package enum Face: Sendable, Hashable { case digital, analogue }
    /// Which rings are shown.
    package enum RingChoice: Sendable, Hashable { case three, total }
    /// What fills the screen.
    package enum Page: Sendable, Hashable { case rows, large, help }

    /// A text for the user that goes away.
    package struct Message: Sendable, Hashable {
        package var text: String
        package var isProblem: Bool
        package var until: Timestamp
    }

    /// A line of the list: a head, or an item.
    package enum Entry: Sendable, Hashable {
        case head(Item.Group, Int)
        case item(String)
    }

    package internal(set) var items: [String: Item] = [:]
    /// In the order in which they are shown.
    package internal(set) var entries: [Entry] = []
    /// The item that controls are for.
    package internal(set) var selection: String?
    /// The first entry on the screen.
    package internal(set) var top = 0
    package internal(set) var page: Page
    package internal(set) var face = Face.digital
    package internal(set) var rings = RingChoice.three
    package internal(set) var message: Message?
    /// Why there are no news; nil while there are.
    package internal(set) var trouble: String?
    /// Why items are not shown, by their ids.
    var unreadable: [String: String] = [:]

    /// What the view has to tell before everything else: the trouble, or which items are missing.
    package var problem: String? {
        guard trouble == nil, let first = unreadable.min(by: { $0.key < $1.key }) else { return trouble }
        return first.value + (unreadable.count > 1 ? " (and \(unreadable.count - 1) more)" : "")
    }
    /// Whether items have come at all.
    package internal(set) var isLoaded = false
    package internal(set) var layout: WatchLayout
    /// Where help goes back to.
    var pageBehindHelp = Page.rows

    /// How long a message stays.
    static let messageTime: Duration = .seconds(5)

    /// A view without items; with `id`, it begins with that one alone.
    package init(size: ScreenSize, id: String? = nil) {
        layout = WatchLayout(size)
        selection = id
        page = id == nil ? .rows : .large
    }

    /// Takes in what has happened.
    package mutating func step(_ input: WatchInput, at now: Timestamp) -> [WatchEffect] {
        if let message, message.until <= now { self.message = nil }
        switch input {
        case .key(let key): return take(key, at: now)
        case .feed(let change): take(change)
        case .tick: break
        case .resize(let size):
            layout = WatchLayout(size)
            scroll()
            return [.redraw]
        case .answer(let answer):
            // Most refusals begin with the id.
            let text = answer.text.hasPrefix(answer.id) ? answer.text : "\(answer.id): \(answer.text)"
            say(text, isProblem: answer.isRefusal, at: now)
        }
        return []
    }

    /// The selected item as it stands at a moment.
    package func selected(at now: Timestamp) -> Item? { selection.flatMap { items[$0] }?.at(now) }

    /// When the view has to be drawn again if nothing happens: when the second changes that the selected item shows, or the first
    /// that counts on the screen. The others change with it, so that there is one drawing a second and not one for each.
    package func nextTick(after now: Timestamp) -> Timestamp {
        let visible = page == .rows ? visibleItems : selection.flatMap { items[$0] }.map { [$0] } ?? []
        let counting = visible.filter(\.isCounting)
        guard let item = (counting.first { $0.id == selection } ?? counting.first)?.at(now) else {
            // Only words such as `2 hours ago` and a message change then.
            return min(now.advanced(by: .seconds(20)), message?.until ?? .distantFuture)
        }
        let second: Int64 = 1_000_000_000
        let shown = (item.shownTime ?? .zero).nanoseconds % second
        let rest = item.kind == .stopwatch || shown == 0 ? second - shown : shown
        return now.advanced(by: .nanoseconds(rest))
    }

    /// The items on the screen of all.
    package var visibleItems: [Item] {
        entries[min(top, entries.count)...].prefix(layout.body.count).compactMap { entry in
            if case .item(let id) = entry { items[id] } else { nil }
        }
    }

    mutating func say(_ text: String, isProblem: Bool, at now: Timestamp) {
        message = Message(text: text, isProblem: isProblem, until: now.advanced(by: Self.messageTime))
    }
}
