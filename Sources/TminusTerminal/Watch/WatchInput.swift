package import TminusControl
package import TminusCore

/// The inputs of the live view.
package enum WatchInput: Sendable, Hashable {
    /// A key press.
    case key(Key)
    /// A change from the feed.
    case feed(FeedChange)
    /// The displayed seconds may have changed.
    case tick
    /// The screen has a new size.
    case resize(ScreenSize)
    /// The answer to a control.
    case answer(ControlAnswer)
}

/// The effects that the live view requests.
package enum WatchEffect: Sendable, Hashable {
    /// Send a control for the definition with this id.
    case perform(String, Control)
    /// Draw the whole screen, because its content is unknown.
    case redraw
    /// End the view.
    case quit
}

/// A change to the items.
package enum FeedChange: Sendable, Hashable {
    /// A snapshot of all items, sent first and after each reconnect.
    case all([Item])
    /// An item was added or changed.
    case changed(Item)
    /// An item exists but cannot be shown; with the reason for display, and the id if it is known.
    case unreadable(id: String?, String)
    /// The problems of the directory and its files, one line each, which replace those before.
    case problems([String])
    /// An item was removed.
    case gone(String)
    /// The source is lost, with the reason. The feed keeps trying to reconnect.
    case lost(String)
}

/// The result of a control.
package struct ControlAnswer: Sendable, Hashable {
    /// The definition's id.
    package var id: String
    /// The item's new state, or the reason for the refusal, in words.
    package var text: String
    /// Whether the control was refused.
    package var isRefusal: Bool

    /// Creates the answer to a control that was applied; `item` is its new state.
    package init(_ item: Item, after verb: Control.Verb) {
        (id, text, isRefusal) = (item.id, AnswerText.line(item, after: verb), false)
    }

    /// Creates the answer to a control that was refused.
    package init(id: String, refusal: String) {
        (self.id, text, isRefusal) = (id, refusal, true)
    }
}

/// The source of the live view's items and the target of its controls.
package protocol ItemFeed: Sendable {
    /// Returns a stream of changes that begins with a snapshot. A feed that loses its source sends `lost`, reconnects
    /// by itself and sends a new snapshot. A stream that ends has given up.
    func changes() -> AsyncStream<FeedChange>

    /// Applies a control and returns its result.
    func perform(_ control: Control, on id: String) async -> ControlAnswer
}
