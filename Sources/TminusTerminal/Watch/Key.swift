/// A key that was pressed.
package enum Key: Sendable, Hashable {
    case character(Character)
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, escape, tab, backTab
    /// One that means nothing here, so that it is not taken for another.
    case unknown
}
