/// The programs that were started just now, oldest first. A program leaves when it ends or is no longer fresh.
struct FreshPrograms {
    /// How long a program is fresh: longer than most hooks run. A program that fills its pipes at once waits this long,
    /// once.
    static let time = Duration.milliseconds(10)

    private var programs: [(number: UInt64, end: ContinuousClock.Instant)] = []
    private var isAwaited = false

    /// Adds a program. Returns true if the caller must then call ``aged(now:isRunning:)`` after ``time``.
    mutating func add(_ number: UInt64, now: ContinuousClock.Instant) -> Bool {
        programs.append((number, now + Self.time))
        defer { isAwaited = true }
        return !isAwaited
    }

    /// The running programs that are no longer fresh, and the pause until the next call; nil if no call is needed.
    mutating func aged(
        now: ContinuousClock.Instant, isRunning: (UInt64) -> Bool
    ) -> (numbers: [UInt64], pause: Duration?) {
        let running = programs.filter { isRunning($0.number) }
        let aged = running.prefix { $0.end <= now }.map(\.number)
        programs = Array(running.dropFirst(aged.count))
        isAwaited = !programs.isEmpty
        return (aged, programs.first.map { $0.end - now })
    }
}
