/// The programs that were just started, the oldest first, until they have ended or are no longer fresh.
struct FreshPrograms {
    /// For how long one is fresh: longer than most hooks run, and what one that fills its pipes at once waits, once.
    static let time = Duration.milliseconds(10)

    private var programs: [(number: UInt64, end: ContinuousClock.Instant)] = []
    private var isAwaited = false

    /// Takes one more; true if ``aged(now:isRunning:)`` has to be asked after ``time`` because of it.
    mutating func add(_ number: UInt64, now: ContinuousClock.Instant) -> Bool {
        programs.append((number, now + Self.time))
        defer { isAwaited = true }
        return !isAwaited
    }

    /// Those that are no longer fresh and are running; and when to ask again, nil if there is no need.
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
