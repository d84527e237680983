/// What a terminal can show, and what its user wants to see.
package struct Style: Sendable, Hashable {
    /// How many colours there are.
    package enum Colors: Sendable, Hashable { case none, sixteen, indexed, direct }
    /// What is behind the text.
    package enum Background: String, Sendable, Hashable, CaseIterable { case dark, light }

    /// How many colours there are.
    package var colors: Colors
    /// What is behind the text.
    package var background: Background
    /// Whether rings and bars are drawn with ASCII characters, not with braille.
    package var drawsASCII: Bool
    /// Whether a text may have characters beyond ASCII.
    package var hasUnicode: Bool
    /// Whether bold, faint and reversed may be used where there are no colours: so in the live view, not in a pipe.
    package var hasAttributes: Bool

    /// A style; without more said, as for a pipe.
    package init(
        colors: Colors = .none, background: Background = .dark, drawsASCII: Bool = false, hasUnicode: Bool = true,
        hasAttributes: Bool = false
    ) {
        self.colors = colors
        self.background = background
        self.drawsASCII = drawsASCII
        self.hasUnicode = hasUnicode
        self.hasAttributes = hasAttributes
    }

    /// The style for an environment: `NO_COLOR` (no-color.org), `COLORTERM`, `TERM`, `COLORFGBG` and the locale; `ascii` and
    /// `background` are the user's word.
    package init(
        environment: [String: String], isTerminal: Bool, ascii: Bool = false, background: Background? = nil
    ) {
        let terminal = environment["TERM"] ?? ""
        let isPlain = !isTerminal || terminal.isEmpty || terminal == "dumb"
        hasUnicode = Self.isUnicode(environment)
        drawsASCII = ascii || !hasUnicode
        hasAttributes = !isPlain
        self.background = background ?? Self.background(environment["COLORFGBG"])
        if isPlain || !(environment["NO_COLOR"] ?? "").isEmpty {
            colors = .none
        } else if ["truecolor", "24bit"].contains(environment["COLORTERM"]) {
            colors = .direct
        } else {
            colors = terminal.contains("256color") ? .indexed : .sixteen
        }
    }

    /// By locale(7): the first that is set and not empty counts.
    private static func isUnicode(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let lowered = locale.lowercased()
        return lowered.contains("utf-8") || lowered.contains("utf8")
    }

    /// `15;0`: rxvt and others say which of the 16 colours text and background have; 7 and 9 to 15 are light ones.
    private static func background(_ text: String?) -> Background {
        guard let last = text?.split(separator: ";").last, let number = Int(last) else { return .dark }
        return number == 7 || (9...15).contains(number) ? .light : .dark
    }

    /// What stands where a text was cut.
    package var cutMark: String { drawsASCII ? "~" : "…" }
}
