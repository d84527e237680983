/// The visual attributes of a piece of text.
package struct Look: Sendable, Hashable {
    /// The text colour.
    package var ink: Ink
    /// Whether the text is bold.
    package var isBold: Bool
    /// Whether the text is faint.
    package var isFaint: Bool
    /// Whether text and background colours are swapped.
    package var isReversed: Bool

    /// Creates a look, plain by default.
    package init(_ ink: Ink = .plain, bold: Bool = false, faint: Bool = false, reversed: Bool = false) {
        self.ink = ink
        isBold = bold
        isFaint = faint
        isReversed = reversed
    }

    /// The terminal's default look.
    package static let plain = Look()
    /// For important text.
    package static let bold = Look(bold: true)
    /// For less important text.
    package static let faint = Look(.named(.gray))
}
