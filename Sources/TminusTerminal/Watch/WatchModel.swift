package import TminusControl
package import TminusCore

/// The state of the live view: a value that takes inputs and returns effects.
package struct WatchModel: Sendable {
    /// The clock face on the enlarged page.
    package enum Face: Sendable, Hashable { case digital, analogue }
    /// The rings on the enlarged page: hours, minutes and seconds, or the total.
    package enum RingChoice: Sendable, Hashable { case three, total }
    /// The page on the screen.
    package enum Page: Sendable, Hashable { case rows, large, help }

    /// A temporary message for the user.
    package struct Message: Sendable, Hashable {
        /// The text.
        package var text: String
        /// Whether it reports a problem.
        package var isProblem: Bool
        /// The instant at which it disappears.
        package var until: Timestamp
    }

    /// A row of the list: a group heading with its item count, or an item's id.
    package enum Entry: Sendable, Hashable {
        case head(Item.Group, Int)
        case item(String)
    }

    /// The items by id.
    package internal(set) var items: [String: Item] = [:]
    /// The rows in display order.
    package internal(set) var entries: [Entry] = []
    /// The id of the item that controls apply to.
    package internal(set) var selection: String?
    /// The index of the first entry on the screen.
    package internal(set) var top = 0
    /// The page on the screen.
    package internal(set) var page: Page
    /// The chosen clock face.
    package internal(set) var face = Face.digital
    /// The chosen rings.
    package internal(set) var rings = RingChoice.three
    /// The current message.
    package internal(set) var message: Message?
    /// The question that waits for an answer.
    package internal(set) var question: WatchQuestion?
    /// The reason why the feed is interrupted, nil while it works.
    package internal(set) var trouble: String?
    /// The reasons why items are not shown, by their ids.
    var unreadable: [String: String] = [:]

    /// The problems of the directory and its files, one line each.
    var fileProblems: [String] = []

    /// The most important problem: the feed is interrupted, items are missing, or a file is broken.
    package var problem: String? {
        if let trouble { return trouble }
        let all = unreadable.sorted { $0.key < $1.key }.map(\.value) + fileProblems
        guard let first = all.first else { return nil }
        return first + (all.count > 1 ? " (and \(all.count - 1) more)" : "")
    }

    /// Which items of the list are on the screen, `1-7 of 9`; nil if all are.
    package var shownPart: String? {
        guard page == .rows, entries.count > layout.body.count else { return nil }
        let count = { (entries: ArraySlice<Entry>) in
            entries.count { if case .item = $0 { true } else { false } }
        }
        let (before, shown) = (count(entries.prefix(top)), visibleItems.count)
        return "\(min(before + 1, before + shown))-\(before + shown) of \(items.count)"
    }
    /// Whether items have been received.
    package internal(set) var isLoaded = false
    /// The layout for the current screen size.
    package internal(set) var layout: WatchLayout
    /// The page to return to from the help.
    var pageBehindHelp = Page.rows

    /// The time a message stays.
    static let messageTime: Duration = .seconds(5)

    /// Creates a view without items; with `id`, it starts with that item enlarged.
    package init(size: ScreenSize, id: String? = nil) {
        layout = WatchLayout(size)
        selection = id
        page = id == nil ? .rows : .large
    }

    /// Applies an input and returns the effects to perform.
    package mutating func step(_ input: WatchInput, at now: Timestamp) -> [WatchEffect] {
        if let message, message.until <= now { self.message = nil }
        if let question, question.until <= now {
            self.question = nil
            say("no answer; nothing was done", isProblem: false, at: now)
        }
        switch input {
        case .key(let key): return take(key, at: now)
        case .feed(let change): take(change)
        case .tick: break
        case .resize(let size):
            layout = WatchLayout(size)
            scroll()
            return [.redraw]
        case .answer(let answer):
            // Most refusals already begin with the id.
            let text = answer.text.hasPrefix(answer.id) ? answer.text : "\(answer.id): \(answer.text)"
            say(text, isProblem: answer.isRefusal, at: now)
        }
        return []
    }

    /// The selected item, projected to an instant.
    package func selected(at now: Timestamp) -> Item? { selection.flatMap { items[$0] }?.at(now) }

    /// Returns when the view must be drawn again without input: at the next full second of the selected item, or of the
    /// first counting item on the screen. The others are drawn with it, so there is one drawing a second, not one for
    /// each item.
    package func nextTick(after now: Timestamp) -> Timestamp {
        let visible = page == .rows ? visibleItems : selection.flatMap { items[$0] }.map { [$0] } ?? []
        let counting = visible.filter(\.isCounting)
        guard let item = (counting.first { $0.id == selection } ?? counting.first)?.at(now) else {
            // Only words such as `2 hours ago` and the message change.
            return min(
                now.advanced(by: .seconds(20)), message?.until ?? .distantFuture, question?.until ?? .distantFuture)
        }
        let second: Int64 = 1_000_000_000
        let shown = (item.shownTime ?? .zero).nanoseconds % second
        let rest = item.kind == .stopwatch || shown == 0 ? second - shown : shown
        return now.advanced(by: .nanoseconds(rest))
    }

    /// The items visible on the list page.
    package var visibleItems: [Item] {
        entries[min(top, entries.count)...].prefix(layout.body.count).compactMap { entry in
            if case .item(let id) = entry { items[id] } else { nil }
        }
    }

    /// Shows a message for ``messageTime``.
    mutating func say(_ text: String, isProblem: Bool, at now: Timestamp) {
        message = Message(text: text, isProblem: isProblem, until: now.advanced(by: Self.messageTime))
    }
}
