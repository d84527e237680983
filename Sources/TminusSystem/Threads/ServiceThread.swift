internal import CTimerFD
internal import Glibc
internal import Synchronization

/// One thread for the services that wake one another: it runs their jobs in the order in which they came, and when there is none it
/// waits for descriptors (epoll(7)), those of alarms.
///
/// What an alarm sets off then goes from service to service without waking another thread, which takes longer than what they do.
/// Nothing that blocks may run on it. Tasks run on it by `withTaskExecutorPreference`; those that they start, and that are no
/// children of theirs, do not.
package final class ServiceThread: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var handlers: [UInt64: @Sendable () -> Void] = [:]
        var lastKey: UInt64 = 0
        /// Whether the thread waits, or is about to, and has not been woken.
        var isAsleep = false
        var isEnding = false
        var hasEnded = false

        /// Takes note that the thread is to go on; true if it has to be woken for that.
        mutating func rouse() -> Bool {
            defer { isAsleep = false }
            return isAsleep
        }

        /// How long to wait for descriptors, in milliseconds or, with -1, until there is something (epoll_wait(2)); nil if it is over.
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

    /// After how many jobs descriptors get a look, however many more jobs there are.
    private static let turn = 64
    /// The key of the descriptor that wakes the thread; those of others begin after it.
    private static let wake: UInt64 = 0
    private let state = Mutex(State())
    private let poll: CInt
    private let event: CInt

    /// Starts the thread, which runs until ``end()``.
    ///
    /// - Throws: what is used up: descriptors, of which it takes two, or threads.
    package init() throws(SystemError) {
        poll = epoll_create1(CInt(EPOLL_CLOEXEC))
        event = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        guard poll >= 0, event >= 0, Self.add(event, to: poll, key: Self.wake) else { throw Self.problem(errno) }
        let code = DetachedThread.start { self.run() }
        guard code == 0 else { throw Self.problem(code) }
    }

    deinit {
        // The thread has ended, it holds the object; so nobody uses them any more.
        if poll >= 0 { close(poll) }
        if event >= 0 { close(event) }
    }

    package func enqueue(_ job: UnownedJob) {
        let (isLate, isAsleep) = state.withLock { state in
            if state.hasEnded { return (true, false) }
            state.jobs.append(job)
            return (false, state.rouse())
        }
        if isLate { return globalConcurrentExecutor.enqueue(job) }
        if isAsleep { rouse() }
    }

    /// Ends the thread when it has run what it was given; never waits. What comes later runs on the pool, and nothing is
    /// watched any more.
    package func end() {
        let isAsleep = state.withLock { state in
            state.isEnding = true
            return state.rouse()
        }
        if isAsleep { rouse() }
    }

    /// Calls `handler`, which must not block, on the thread whenever there is something to read from `descriptor`, until it has
    /// been read. Returns the key to end it by; nil if the machine refuses.
    func watch(_ descriptor: CInt, _ handler: @escaping @Sendable () -> Void) -> UInt64? {
        let key = state.withLock { state in
            state.lastKey += 1
            state.handlers[state.lastKey] = handler
            return state.lastKey
        }
        if Self.add(descriptor, to: poll, key: key) { return key }
        state.withLock { state in _ = state.handlers.removeValue(forKey: key) }
        return nil
    }

    /// Ends a watch. It has to come before the descriptor is closed; a call of the handler that has begun goes on.
    func unwatch(_ descriptor: CInt, _ key: UInt64) {
        _ = epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, nil)
        // A handler may hold what ends watches itself when it goes.
        _ = state.withLock { $0.handlers.removeValue(forKey: key) }
    }

    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 16)
        while true {
            let isBusy = work()
            guard let timeout: CInt = state.withLock({ $0.timeout(isBusy: isBusy) }) else { return }
            let count = epoll_wait(poll, &events, CInt(events.count), timeout)
            state.withLock { $0.isAsleep = false }
            // An interruption counts as -1 events (signal(7)).
            for event in events.prefix(max(0, Int(count))) { handle(event.data.u64) }
        }
    }

    /// Runs what there is to run; true if it was so much that there may be more.
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
            var count: UInt64 = 0
            _ = read(event, &count, MemoryLayout<UInt64>.size)
        } else if let handler = state.withLock({ $0.handlers[key] }) {
            handler()
        }
    }

    private func rouse() {
        var one: UInt64 = 1
        // It could only fail after 2^64 - 1 writes that nobody has read (eventfd(2)).
        _ = write(event, &one, MemoryLayout<UInt64>.size)
    }

    private static func add(_ descriptor: CInt, to poll: CInt, key: UInt64) -> Bool {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = key
        return epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event) == 0
    }

    private static func problem(_ code: CInt) -> SystemError {
        SystemError("cannot start a thread for the services: \(String(cString: strerror(code)))", .io)
    }
}
