package import TminusControl
package import TminusCore

/// What can happen to the live view.
package enum WatchInput: Sendable, Hashable {
    case key(Key)
    case feed(FeedChange)
    /// A shown second may be another.
    case tick
    case resize(ScreenSize)
    case answer(ControlAnswer)
}

/// What the live view wants done.
package enum WatchEffect: Sendable, Hashable {
    /// The control for that definition.
    case perform(String, Control)
    /// The screen is of unknown content.
    case redraw
    case quit
}

/// News of the items.
package enum FeedChange: Sendable, Hashable {
    /// These are all there are: at the beginning, and after a connection was lost.
    case all([Item])
    /// One is new or another than before.
    case changed(Item)
    /// One is there and cannot be shown, with the reason in words for people; the id if it is known.
    case unreadable(id: String?, String)
    /// One is gone.
    case gone(String)
    /// There are no news for now, with the reason; the feed goes on trying.
    case lost(String)
}

/// What became of a control.
package struct ControlAnswer: Sendable, Hashable {
    /// For which definition.
    package var id: String
    /// How the item stands now, or why it was not done, in words for people.
    package var text: String
    /// Whether it was not done.
    package var isRefusal: Bool

    /// A control that was done for an item, which stands like this now.
    package init(_ item: Item, after verb: String) {
        (id, text, isRefusal) = (item.id, AnswerText.line(item, after: verb), false)
    }

    /// A control that was refused.
    package init(id: String, refusal: String) {
        (self.id, text, isRefusal) = (id, refusal, true)
    }
}

/// Where the live view has its items from, and where its controls go.
package protocol ItemFeed: Sendable {
    /// News from now on, all items first. A feed that loses its source says so, tries again by itself, and then gives all items anew;
    /// one that ends has given up.
    func changes() -> AsyncStream<FeedChange>

    /// Does what a person wants, and answers when it is done or refused.
    func perform(_ control: Control, on id: String) async -> ControlAnswer
}
