internal import Synchronization
internal import TminusCore

/// The attempts in hand: those that run, and those that wait for one of them to end.
///
/// Each that runs has a task, which goes on with the next one in line when it has ended. It has a time limit of its own: a task that
/// is cancelled makes no further attempt.
final class RunningAttempts: Sendable {
    /// Makes an attempt, which begins when the former one of its task has ended, or now; returns when it has ended.
    typealias Perform = @Sendable (Attempt, _ formerEnd: ClockReading?, RunningAttempts) async -> ClockReading?

    /// A task, and the attempt that it makes.
    private struct Run {
        /// Nil until it first waits for something.
        var task: Task<Void, Never>?
        /// Nil as long as there is no task.
        var deadline: UInt64?
        var attempt: Attempt
        /// Whether it is cancelled.
        var isCancelled = false
    }

    private struct State {
        var lines = AttemptLines()
        var runs: [UInt64: Run] = [:]
        var last: UInt64 = 0
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let deadlines = Deadlines()
    /// What a sink is given beyond its own time limit before its attempt is cancelled.
    private let grace: Duration
    private let perform: Perform

    /// No attempts yet.
    ///
    /// - Parameters:
    ///   - grace: What a sink is given beyond its own time limit, which it is to keep itself.
    ///   - perform: Makes one of these attempts.
    init(grace: Duration = .seconds(2), perform: @escaping Perform) {
        self.grace = grace
        self.perform = perform
    }

    /// Whether all has been cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Makes attempts, each as soon as there is room for it.
    ///
    /// They run here and now up to where they first wait: waking another thread for it takes longer than that mostly does.
    func begin(_ attempts: [Attempt]) {
        guard !attempts.isEmpty else { return }
        var lanes = state.withLock { state in state.lines.add(attempts) }
        // One of each in turn, so that no lane takes all the room that is left.
        while !lanes.isEmpty {
            lanes = lanes.filter { lane in
                guard let next = state.withLock({ $0.lines.next(of: lane) }) else { return false }
                start(next)
                return true
            }
        }
    }

    /// Takes back what waits and is asked for.
    func withdraw(_ isWanted: (Attempt) -> Bool) -> [Attempt] {
        state.withLock { $0.lines.withdraw(isWanted) }
    }

    /// Starts a task with an attempt for which there is room.
    private func start(_ first: Attempt) {
        let number = state.withLock { state in
            state.last += 1
            state.runs[state.last] = Run(attempt: first)
            return state.last
        }
        let task = Task.immediate { await work(first, number) }
        let isOver = state.withLock { state in
            // Nil: it has not waited for anything.
            guard state.runs[number] != nil else { return false }
            state.runs[number]?.task = task
            limit(number, &state)
            if state.isCancelled { state.runs[number]?.isCancelled = true }
            return state.isCancelled
        }
        if isOver { task.cancel() }
    }

    /// Makes an attempt, and those with which its task goes on.
    private func work(_ first: Attempt, _ number: UInt64) async {
        var next: Attempt? = first
        var ended: ClockReading?
        while let attempt = next {
            ended = await perform(attempt, ended, self)
            next = end(attempt, of: number)
        }
    }

    /// Takes note that an attempt has ended, and returns the one with which its task is to go on.
    private func end(_ attempt: Attempt, of number: UInt64) -> Attempt? {
        let (following, goesOn) = state.withLock { state -> (Attempt?, Bool) in
            let following = state.lines.end(attempt)
            guard let run = state.runs.index(forKey: number) else { return (following, false) }
            if let deadline = state.runs.values[run].deadline { deadlines.callOff(deadline) }
            guard let following, !state.runs.values[run].isCancelled else {
                state.runs.remove(at: run)
                return (following, false)
            }
            state.runs.values[run].attempt = following
            if state.runs.values[run].task != nil { limit(number, &state) }
            return (following, true)
        }
        if goesOn { return following }
        if let following { start(following) }
        return nil
    }

    /// Sets the deadline of the attempt that a task makes.
    private func limit(_ number: UInt64, _ state: inout State) {
        guard let run = state.runs[number], run.task != nil else { return }
        let attempt = run.attempt
        state.runs[number]?.deadline = deadlines.after(attempt.sink.timeLimit + grace) { [weak self] in
            self?.cancel(attempt, of: number)
        }
    }

    /// Cancels a task unless it makes another attempt by now.
    private func cancel(_ attempt: Attempt, of number: UInt64) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard let run = state.runs[number], run.attempt === attempt else { return nil }
            state.runs[number]?.isCancelled = true
            return run.task
        }
        task?.cancel()
    }

    /// Cancels all that runs.
    func cancel() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            for (number, run) in state.runs where run.task != nil { state.runs[number]?.isCancelled = true }
            return state.runs.values.compactMap(\.task)
        }
        for task in tasks { task.cancel() }
    }

    /// Returns when all that runs has ended.
    func ended() async {
        for task in state.withLock({ $0.runs.values.compactMap(\.task) }) { await task.value }
    }
}
