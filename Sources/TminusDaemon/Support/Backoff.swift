/// How long to wait between attempts on something that fails for now, such as a store on a full disk: 1 s, doubling to 30 s.
struct Backoff: Sendable {
    private(set) var next: Duration = .seconds(1)

    /// The wait before the next attempt.
    mutating func wait() -> Duration {
        defer { next = min(next * 2, .seconds(30)) }
        return next
    }
}
