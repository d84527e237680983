internal import Glibc
internal import Synchronization

/// The thread of the services: it runs their jobs in order, and waits for the descriptors of alarms when there are no
/// jobs.
///
/// Work that an alarm starts passes from service to service without waking another thread, which would take longer than
/// the work. Jobs must not block. Tasks run on it through `withTaskExecutorPreference`, with their child tasks, but not
/// the unstructured tasks that they start.
package final class ServiceThread: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var handlers: [UInt64: @Sendable () -> Void] = [:]
        var lastKey: UInt64 = 0
        /// Whether the thread waits or is about to wait, and has not been woken.
        var isAsleep = false
        var isEnding = false
        var hasEnded = false

        /// Records that the thread has work. Returns true if it must be woken.
        mutating func rouse() -> Bool {
            defer { isAsleep = false }
            return isAsleep
        }

        /// How long to wait for descriptors, in milliseconds, -1 without limit; nil if the thread should end.
        mutating func timeout(isBusy: Bool) -> CInt? {
            guard jobs.isEmpty, !isBusy else { return 0 }
            if isEnding {
                hasEnded = true
                return nil
            }
            isAsleep = true
            return -1
        }
    }

    /// The number of jobs after which descriptors are checked, even if more jobs wait.
    private static let turn = 64
    /// The key of the descriptor that wakes the thread. All other keys are greater.
    private static let wake: UInt64 = 0
    private let state = Mutex(State())
    private let poller: Poller
    private let event: WakeEvent

    /// Starts the thread, which runs until ``end()``.
    ///
    /// - Throws: If fewer than two descriptors or no threads are left.
    package init() throws(SystemError) {
        guard let poller = Poller(), let event = WakeEvent(), poller.add(event.descriptor, key: Self.wake) else {
            throw Self.problem(errno)
        }
        self.poller = poller
        self.event = event
        let code = DetachedThread.start(named: "engine") { self.run() }
        guard code == 0 else { throw Self.problem(code) }
    }

    package func enqueue(_ job: UnownedJob) {
        let (isLate, isAsleep) = state.withLock { state in
            if state.hasEnded { return (true, false) }
            state.jobs.append(job)
            return (false, state.rouse())
        }
        if isLate { return globalConcurrentExecutor.enqueue(job) }
        if isAsleep { event.wake() }
    }

    /// Ends the thread after the jobs that it has received; never waits. Later jobs run on the pool, and descriptors
    /// are no longer watched.
    package func end() {
        let isAsleep = state.withLock { state in
            state.isEnding = true
            return state.rouse()
        }
        if isAsleep { event.wake() }
    }

    /// Calls `handler`, which must not block, on the thread for as long as `descriptor` is readable. Returns the key
    /// for ``unwatch(_:_:)``; nil if the system refuses.
    func watch(_ descriptor: CInt, _ handler: @escaping @Sendable () -> Void) -> UInt64? {
        let key = state.withLock { state in
            state.lastKey += 1
            state.handlers[state.lastKey] = handler
            return state.lastKey
        }
        if poller.add(descriptor, key: key) { return key }
        state.withLock { state in _ = state.handlers.removeValue(forKey: key) }
        return nil
    }

    /// Ends a watch. Call this before the descriptor is closed. A handler that is already running is not interrupted.
    func unwatch(_ descriptor: CInt, _ key: UInt64) {
        poller.remove(descriptor)
        // Released outside of the lock, because a handler may own an alarm whose deinit calls this method.
        _ = state.withLock { $0.handlers.removeValue(forKey: key) }
    }

    private func run() {
        var keys = [UInt64](repeating: 0, count: 16)
        while true {
            let isBusy = work()
            guard let timeout: CInt = state.withLock({ $0.timeout(isBusy: isBusy) }) else { return }
            let count = poller.wait(into: &keys, milliseconds: timeout)
            state.withLock { $0.isAsleep = false }
            for key in keys.prefix(count) { handle(key) }
        }
    }

    /// Runs the jobs. Returns true if there may be more.
    private func work() -> Bool {
        var count = 0
        while count < Self.turn {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                return state.jobs
            }
            if jobs.isEmpty { return false }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            count += jobs.count
        }
        return true
    }

    private func handle(_ key: UInt64) {
        if key == Self.wake {
            event.reset()
        } else if let handler = state.withLock({ $0.handlers[key] }) {
            handler()
        }
    }

    private static func problem(_ code: CInt) -> SystemError {
        SystemError("cannot start a thread for the services: \(ErrorText.of(code))", .io)
    }
}
