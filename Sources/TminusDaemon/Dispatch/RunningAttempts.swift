internal import Synchronization
internal import TminusCore

/// The attempts in hand: those that run, and those that wait for one of them to end.
///
/// Each that runs has a task, which goes on with the next one in line when it has ended. It has a time limit of its own: a task that
/// is cancelled makes no further attempt.
final class RunningAttempts: Sendable {
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
    private let worker: DeliveryWorker
    private let report: @Sendable (Attempt, AttemptResult) -> Void

    /// No attempts yet.
    ///
    /// - Parameters:
    ///   - worker: Says what each hands to its sink, and what its end means.
    ///   - grace: What a sink is given beyond its own time limit, which it is to keep itself.
    ///   - report: Told of each when it has ended, before another begins in its place.
    init(
        by worker: DeliveryWorker, grace: Duration = .seconds(2),
        report: @escaping @Sendable (Attempt, AttemptResult) -> Void
    ) {
        self.worker = worker
        self.grace = grace
        self.report = report
    }

    /// Whether all has been cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Makes attempts, each as soon as there is room for it.
    ///
    /// They run here and now up to where they first wait: waking another thread for it takes longer than that mostly does.
    func begin(_ groups: [AttemptGroup]) {
        guard !groups.isEmpty else { return }
        var sinks = state.withLock { state in state.lines.add(groups) }
        // One of each in turn, so that no sink takes all the room that is left.
        while !sinks.isEmpty {
            sinks = sinks.filter { sink in
                guard let next = state.withLock({ $0.lines.next(of: sink) }) else { return false }
                start(next)
                return true
            }
        }
    }

    /// Takes back what waits and is asked for.
    func withdraw(_ isWanted: (ClaimedDelivery, SinkLane.ID) -> Bool) -> [Attempt] {
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
            guard let run = state.runs.index(forKey: number) else { return false }
            state.runs.values[run].task = task
            limit(&state.runs.values[run], of: number)
            if state.isCancelled { state.runs.values[run].isCancelled = true }
            return state.isCancelled
        }
        if isOver { task.cancel() }
    }

    /// Makes an attempt, and those with which its task goes on: each begins when the one before has ended.
    ///
    /// The compiler knows all that it calls: behind a closure that was handed in it would look for its executor after each attempt.
    @inline(never)
    private func work(_ first: Attempt, _ number: UInt64) async {
        var next: Attempt? = first
        var begun = worker.clock.reading
        while let attempt = next {
            let result: AttemptResult
            switch worker.delivery(of: attempt.claimed, begun: begun) {
            case .success(let delivery):
                let end = await attempt.made.sink.attempt(delivery, stop: attempt.stop)
                result = worker.result(of: attempt, begun: begun, end) { isCancelled }
            case .failure(let refusal):
                result = AttemptResult(outcome: refusal.outcome, report: nil, ended: begun, took: .zero)
            }
            report(attempt, result)
            begun = result.ended
            next = end(attempt, of: number)
        }
    }

    /// Takes note that an attempt has ended, and returns the one with which its task is to go on.
    private func end(_ attempt: Attempt, of number: UInt64) -> Attempt? {
        let (following, goesOn) = state.withLock { state -> (Attempt?, Bool) in
            let following = state.lines.end(attempt)
            guard let run = state.runs.index(forKey: number) else { return (following, false) }
            guard goOn(&state.runs.values[run], with: following, of: number) else {
                state.runs.remove(at: run)
                return (following, false)
            }
            return (following, true)
        }
        if goesOn { return following }
        if let following { start(following) }
        return nil
    }

    /// Has a run go on with another attempt; false if it is over. In its place: to take it out would copy all that it refers to.
    private func goOn(_ run: inout Run, with following: Attempt?, of number: UInt64) -> Bool {
        if let deadline = run.deadline { deadlines.callOff(deadline) }
        guard let following, !run.isCancelled else { return false }
        run.attempt = following
        if run.task != nil { limit(&run, of: number) }
        return true
    }

    /// Sets the deadline of the attempt that a task makes.
    private func limit(_ run: inout Run, of number: UInt64) {
        let attempt = run.attempt
        run.deadline = deadlines.after(attempt.sink.timeLimit + grace) { [weak self] in
            self?.cancel(attempt, of: number)
        }
    }

    /// Cancels a task unless it makes another attempt by now.
    private func cancel(_ attempt: Attempt, of number: UInt64) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard let run = state.runs[number], run.attempt.claimed === attempt.claimed else { return nil }
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
