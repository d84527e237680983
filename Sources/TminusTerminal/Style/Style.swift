/// The terminal's capabilities and the user's display preferences.
package struct Style: Sendable, Hashable {
    /// The colours the terminal supports: none, 16, 256, or 24-bit.
    package enum Colors: Sendable, Hashable { case none, sixteen, indexed, direct }
    /// The brightness of the terminal's background.
    package enum Background: String, Sendable, Hashable, CaseIterable { case dark, light }

    /// The colours the terminal supports: none, 16, 256, or 24-bit.
    package var colors: Colors
    /// The brightness of the terminal's background.
    package var background: Background
    /// Whether rings and bars use ASCII characters instead of braille.
    package var drawsASCII: Bool
    /// Whether text may contain characters beyond ASCII.
    package var hasUnicode: Bool
    /// Whether bold, faint and reversed may be used even without colours, as on a terminal but not in a pipe.
    package var hasAttributes: Bool

    /// Creates a style; the defaults suit a pipe.
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

    /// Derives the style from `NO_COLOR` (no-color.org), `COLORTERM`, `TERM`, `COLORFGBG` and the locale. `ascii` and
    /// `background` come from the command line and take precedence.
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

    /// As in locale(7), the first variable that is set and not empty counts.
    private static func isUnicode(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let lowered = locale.lowercased()
        return lowered.contains("utf-8") || lowered.contains("utf8")
    }

    /// Parses `15;0`: rxvt and others set the indices of the text and background colours. 7 and 9 to 15 are light.
    private static func background(_ text: String?) -> Background {
        guard let last = text?.split(separator: ";").last, let number = Int(last) else { return .dark }
        return number == 7 || (9...15).contains(number) ? .light : .dark
    }

    /// The mark at the end of a cut text.
    package var cutMark: String { drawsASCII ? "~" : "…" }
}
