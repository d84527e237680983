/// A control does not fit a definition or its state.
struct Unfit: Error, Sendable, Hashable {
    /// The reason, worded to follow a colon.
    var reason: String

    /// Creates an error.
    init(_ reason: String) {
        self.reason = reason
    }
}
