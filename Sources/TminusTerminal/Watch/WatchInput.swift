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
    /// One is gone.
    case gone(String)
    /// There are no news for now, with the reason; the feed goes on trying.
    case lost(String)
}

/// What became of a control.
package struct ControlAnswer: Sendable, Hashable {
    /// For which definition.
    package var id: String
    /// Its verb.
    package var verb: String
    /// Why it was not done, in words for people; nil if it was.
    package var refusal: String?

    package init(id: String, verb: String, refusal: String? = nil) {
        self.id = id
        self.verb = verb
        self.refusal = refusal
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
