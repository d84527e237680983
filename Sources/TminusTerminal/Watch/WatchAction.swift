internal import TminusCore

/// The actions of the live view that keys trigger.
package enum WatchAction: Sendable, Hashable, CaseIterable {
    case pauseOrResume, start, stop, reset, lap, add, snooze, skip, mute, unmute
    case next, previous, pageDown, pageUp, first, last
    case enlarge, back, face, rings, redraw, help, quit

    /// A row of the key table.
    package struct Row: Sendable {
        /// The action.
        package var action: WatchAction
        /// The keys that trigger it.
        package var keys: [Key]
        /// The key's name for the user; nil if the previous row covers both actions.
        package var label: String?
        /// The description in the help page.
        package var does: String
        /// The description in the help line, one or two words.
        package var short: String

        init(_ action: WatchAction, _ keys: [Key], _ label: String? = nil, _ does: String = "", short: String = "") {
            (self.action, self.keys, self.label, self.does, self.short) = (action, keys, label, does, short)
        }
    }

    /// The key table, most used first.
    package static let table: [Row] = [
        Row(.pauseOrResume, [.character(" ")], "space", "pause, resume or start", short: "pause"),
        Row(.start, [.character("s")], "s", "start", short: "start"),
        Row(.stop, [.character("x")], "x", "stop (asks first)", short: "stop"),
        Row(.reset, [.character("r")], "r", "reset (asks first)", short: "reset"),
        Row(.lap, [.character("l")], "l", "lap", short: "lap"),
        Row(.add, [.character("+"), .character("=")], "+", "add a minute to a running timer", short: "1 min"),
        Row(.snooze, [.character("z")], "z", "snooze the next occurrence for \(snoozeWords)", short: "snooze"),
        Row(.skip, [.character("n")], "n", "skip the next occurrence (asks first)", short: "skip"),
        Row(.mute, [.character("m")], "m", "mute for an hour, or unmute (asks first)", short: "mute"),
        Row(.unmute, [.character("u")], "u", "end mute, skip and snooze (asks first)", short: "unmute"),
        Row(.enlarge, [.enter], "enter", "enlarge this item, or show all", short: "large"),
        Row(.face, [.character("f")], "f", "digital or analogue face", short: "face"),
        Row(.rings, [.character("o")], "o", "three rings or one of the total", short: "rings"),
        Row(
            .next, [.character("j"), .down, .tab, .right], "j, k", "select another item, as tab and the arrows do",
            short: "select"),
        Row(.previous, [.character("k"), .up, .backTab, .left]),
        Row(.pageDown, [.pageDown], "page keys", "page down, page up", short: "page"),
        Row(.pageUp, [.pageUp]),
        Row(.first, [.home, .character("g")], "home, end", "first item, last item", short: "ends"),
        Row(.last, [.end, .character("G")]),
        Row(.back, [.escape], "esc", "back to all items", short: "back"),
        Row(.redraw, [.character("\u{0C}")], "ctrl-l", "redraw the screen", short: "draw"),
        Row(.help, [.character("?"), .character("h")], "?", "this help", short: "help"),
        Row(.quit, [.character("q"), .character("\u{03}"), .character("\u{04}")], "q", "quit", short: "quit"),
    ]

    private static let snoozeWords = CalendarSpan(nanoseconds: Control.standardSnooze.nanoseconds).text

    /// Returns the action of a key, nil if it has none.
    package init?(_ key: Key) {
        guard let row = Self.table.first(where: { $0.keys.contains(key) }) else { return nil }
        self = row.action
    }
}
