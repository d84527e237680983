/// A key press.
package enum Key: Sendable, Hashable {
    case character(Character)
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, escape, tab, backTab
    /// A key or sequence without a meaning here.
    case unknown
}
