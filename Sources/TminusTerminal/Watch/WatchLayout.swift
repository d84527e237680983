/// The layout of the live view's screen.
package struct WatchLayout: Sendable, Hashable {
    /// The size of the screen.
    package let size: ScreenSize
    /// Whether there is a title row.
    package let hasTitle: Bool
    /// The number of rows for messages and the help line. They share a single row.
    package let footRows: Int

    /// Lays out a screen; on a small one the items take precedence.
    package init(_ size: ScreenSize) {
        self.size = size
        hasTitle = size.rows >= 5
        footRows = size.rows >= 8 ? 2 : size.rows >= 3 ? 1 : 0
    }

    /// The rows between title and foot. Never empty.
    package var body: Range<Int> { (hasTitle ? 1 : 0)..<(size.rows - footRows) }
}
