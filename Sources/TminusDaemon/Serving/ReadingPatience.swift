/// Decides when a client has not read its answer for too long. A value whose methods take `now`.
struct ReadingPatience: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// How long a client may read nothing while there is something to read.
    let limit: Duration
    /// The writes that the kernel has not taken yet.
    private var waiting = 0
    /// The bytes that were left at the last look.
    private var left = 0
    /// When the client was last seen to read, or had nothing to read.
    private var since: Instant

    /// What follows from a look.
    enum Verdict: Sendable, Equatable {
        /// There is nothing to read.
        case content
        /// Look again after that time.
        case again(Duration)
        /// The client does not read.
        case over
    }

    /// Whether there is something to read.
    var isWaiting: Bool { waiting > 0 }

    /// A client that has nothing to read.
    init(limit: Duration, now: Instant) {
        self.limit = limit
        since = now
    }

    /// A write began.
    mutating func began(now: Instant) {
        if waiting == 0 { (since, left) = (now, 0) }
        waiting += 1
    }

    /// The kernel has taken all bytes of the oldest write. Returns whether there is nothing left to read.
    mutating func ended(now: Instant) -> Bool {
        waiting -= 1
        since = now
        return waiting == 0
    }

    /// Judges by the bytes that the kernel has not taken yet. A large write ends long after the client began to read it.
    mutating func look(left: Int, now: Instant) -> Verdict {
        guard waiting > 0 else { return .content }
        if left < self.left { since = now }
        self.left = left
        let passed = since.duration(to: now)
        return passed < limit ? .again(min(limit / 6, limit - passed)) : .over
    }
}
