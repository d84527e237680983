/// How a piece of text looks.
package struct Look: Sendable, Hashable {
    /// Its colour.
    package var ink: Ink
    package var isBold: Bool
    package var isFaint: Bool
    /// Whether text and background are exchanged.
    package var isReversed: Bool

    /// A look; plain unless said otherwise.
    package init(_ ink: Ink = .plain, bold: Bool = false, faint: Bool = false, reversed: Bool = false) {
        self.ink = ink
        isBold = bold
        isFaint = faint
        isReversed = reversed
    }

    /// As the terminal shows text.
    package static let plain = Look()
    /// For what matters.
    package static let bold = Look(bold: true)
    /// For what matters less.
    package static let faint = Look(.named(.gray))
}
