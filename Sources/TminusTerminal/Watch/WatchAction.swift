internal import TminusCore

/// What a key does in the live view.
package enum WatchAction: Sendable, Hashable, CaseIterable {
    case pauseOrResume, start, stop, reset, lap, add, snooze, skip, mute, unmute
    case next, previous, pageDown, pageUp, first, last
    case enlarge, back, face, rings, redraw, help, quit

    /// A row of the table of keys.
    package struct Row: Sendable {
        package var action: WatchAction
        package var keys: [Key]
        /// How the key is called; nil where the row before tells of both.
        package var label: String?
        /// What it does.
        package var does: String
        /// The same in a word or two.
        package var short: String

        init(_ action: WatchAction, _ keys: [Key], _ label: String? = nil, _ does: String = "", short: String = "") {
            (self.action, self.keys, self.label, self.does, self.short) = (action, keys, label, does, short)
        }
    }

    /// The one table of keys; what is used most comes first.
    package static let table: [Row] = [
        Row(.pauseOrResume, [.character(" ")], "space", "pause; go on; start what waits", short: "pause"),
        Row(.start, [.character("s")], "s", "start", short: "start"),
        Row(.stop, [.character("x")], "x", "stop", short: "stop"),
        Row(.reset, [.character("r")], "r", "reset", short: "reset"),
        Row(.lap, [.character("l")], "l", "lap", short: "lap"),
        Row(.add, [.character("+"), .character("=")], "+", "add a minute to a running timer", short: "1 min"),
        Row(.snooze, [.character("z")], "z", "snooze the next occurrence for \(snoozeWords)", short: "snooze"),
        Row(.skip, [.character("k")], "k", "skip the next occurrence", short: "skip"),
        Row(.mute, [.character("m")], "m", "mute for an hour; unmute what is muted", short: "mute"),
        Row(.unmute, [.character("u")], "u", "end mute, skip and snooze", short: "unmute"),
        Row(.enlarge, [.enter], "enter", "this one alone; back to all", short: "large"),
        Row(.face, [.character("f")], "f", "digital or analogue face", short: "face"),
        Row(.rings, [.character("o")], "o", "three rings or one of the total", short: "rings"),
        Row(.next, [.down, .tab, .right], "tab, arrows", "another one", short: "others"),
        Row(.previous, [.up, .backTab, .left]),
        Row(.pageDown, [.pageDown], "page keys", "a page further, a page back", short: "page"),
        Row(.pageUp, [.pageUp]),
        Row(.first, [.home, .character("g")], "home, end", "the first, the last", short: "ends"),
        Row(.last, [.end, .character("G")]),
        Row(.back, [.escape], "esc", "back", short: "back"),
        Row(.redraw, [.character("\u{0C}")], "ctrl-l", "draw all anew", short: "draw"),
        Row(.help, [.character("?"), .character("h")], "?", "this help", short: "help"),
        Row(.quit, [.character("q"), .character("\u{03}"), .character("\u{04}")], "q", "quit", short: "quit"),
    ]

    private static let snoozeWords = CalendarSpan(nanoseconds: Control.standardSnooze.nanoseconds).text

    /// What a key does; nil for one that does nothing.
    package init?(_ key: Key) {
        guard let row = Self.table.first(where: { $0.keys.contains(key) }) else { return nil }
        self = row.action
    }
}
