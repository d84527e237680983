/// What came of a row.
struct Outcome: Sendable {
    /// Whether it went as expected.
    enum Result: Sendable, Equatable {
        /// As expected.
        case passed
        /// The machine does not have what it needs.
        case notRunnable(String)
        /// What was wrong.
        case failed([String])
    }

    var result: Result
    /// The longest time from a last write to the change being in force, where that is known.
    var latency: Duration?
    /// Whether all that was waited for is one complete save: what the promised latency is about.
    var isCommon = false

    init(_ result: Result) {
        self.result = result
    }
}
