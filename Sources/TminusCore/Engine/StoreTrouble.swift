/// A store that refuses for now, such as one on a full disk: what it said, and when to ask again.
///
/// The waits are 1 s, doubling to 30 s. They end early when the wall clock is set, because an instant means nothing then, and when the store is
/// known to answer again.
struct StoreTrouble: Sendable {
    private(set) var error: StoreError?
    private var wait: Duration = .seconds(1)
    private var setBy: Duration = .zero
    /// When to ask again; nil while the store works.
    private(set) var until: Timestamp?

    /// Whether the last commit failed.
    var isPresent: Bool { error != nil }

    /// What the store said.
    var reason: String { error.map { "\($0)" } ?? "the store cannot be written" }

    /// Whether it is too early for another commit.
    func isWaiting(at reading: ClockReading) -> Bool {
        guard let until else { return false }
        return reading.setBy == setBy && reading.now < until
    }

    /// Records a failure; true if it differs from the last one, and so is worth a line in the log.
    mutating func failed(_ error: StoreError, at reading: ClockReading) -> Bool {
        let isNew = self.error != error
        self.error = error
        until = reading.now.advanced(by: wait)
        setBy = reading.setBy
        wait = min(wait * 2, .seconds(30))
        return isNew
    }

    /// The store may work again: the next commit need not wait.
    mutating func askNow() { until = nil }

    /// Records that the store works; true if it did not before.
    mutating func ended() -> Bool {
        defer { self = StoreTrouble() }
        return isPresent
    }
}
