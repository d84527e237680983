/// The programs that were started just now, the oldest first; a program leaves when it ends or is no longer fresh.
struct FreshPrograms {
    /// How long a program is fresh: longer than most hooks run. A program that fills its pipes at once waits so long, once.
    static let time = Duration.milliseconds(10)

    private var programs: [(number: UInt64, end: ContinuousClock.Instant)] = []
    private var isAwaited = false

    /// Adds a program; true if the caller has to call ``aged(now:isRunning:)`` after ``time`` because of it.
    mutating func add(_ number: UInt64, now: ContinuousClock.Instant) -> Bool {
        programs.append((number, now + Self.time))
        defer { isAwaited = true }
        return !isAwaited
    }

    /// The running programs that are no longer fresh, and when to call again; nil if there is no need.
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
