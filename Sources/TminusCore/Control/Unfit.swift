/// A control does not fit what a definition is or how it stands.
struct Unfit: Error, Sendable, Hashable {
    /// Why, in words that follow a colon.
    var reason: String

    /// For that reason.
    init(_ reason: String) {
        self.reason = reason
    }
}
