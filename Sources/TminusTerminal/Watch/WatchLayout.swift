/// Where things are on the screen of the live view.
package struct WatchLayout: Sendable, Hashable {
    package let size: ScreenSize
    /// Whether there is a title.
    package let hasTitle: Bool
    /// How many rows there are for messages and help: with one they share it.
    package let footRows: Int

    /// The places on a screen of that size: the items come first.
    package init(_ size: ScreenSize) {
        self.size = size
        hasTitle = size.rows >= 5
        footRows = size.rows >= 8 ? 2 : size.rows >= 3 ? 1 : 0
    }

    /// The rows between title and foot; never empty.
    package var body: Range<Int> { (hasTitle ? 1 : 0)..<(size.rows - footRows) }
}
