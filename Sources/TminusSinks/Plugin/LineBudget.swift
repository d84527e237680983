/// Limits the lines of a program in the log: some at once, then one a second. Lines that are left out are counted.
struct LineBudget {
    /// The number of lines at once.
    static let burst = 20
    private var room = Double(burst)
    private var last: ContinuousClock.Instant?
    private var leftOut = 0

    /// Whether the line may be written, and how many lines were left out since the last one.
    mutating func take(now: ContinuousClock.Instant) -> (isWritten: Bool, leftOut: Int) {
        if let last {
            let seconds = (now - last) / Duration.seconds(1)
            room = min(Double(Self.burst), room + max(0, seconds))
        }
        last = now
        guard room >= 1 else {
            leftOut += 1
            return (false, leftOut)
        }
        room -= 1
        defer { leftOut = 0 }
        return (true, leftOut)
    }
}
