internal import CPlatform
internal import Glibc
internal import Synchronization

/// A timer on the thread of the services, by the monotonic clock, which stands still while the machine sleeps.
package final class SteadyTimer: Sendable {
    private struct State {
        /// Negative after ``SteadyTimer/cancel()``: the number may belong to another file by then.
        var descriptor: CInt
        var key: UInt64?
    }

    private let thread: ServiceThread
    private let state: Mutex<State>

    /// A timer that is not set and calls `ring`, which must not block, on the thread.
    ///
    /// - Throws: `SystemError` if no descriptor is left.
    package init(on thread: ServiceThread, _ ring: @escaping @Sendable () -> Void) throws(SystemError) {
        let descriptor = tminus_timer()
        guard descriptor >= 0 else { throw SystemError("cannot make a timer: \(ErrorText.last)", .io) }
        self.thread = thread
        state = Mutex(State(descriptor: descriptor))
        let key = thread.watch(descriptor) { [weak self] in
            guard let self, self.quieten() else { return }
            ring()
        }
        guard let key else {
            let reason = ErrorText.last
            Glibc.close(descriptor)
            throw SystemError("cannot watch a timer: \(reason)", .io)
        }
        state.withLock { $0.key = key }
    }

    deinit { cancel() }

    /// Rings once, after that time, at most 31 years. It replaces any earlier setting.
    package func set(after time: Duration) {
        let (seconds, attoseconds) = time.components
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            let nanoseconds = min(seconds, 1_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
            tminus_timer_set(state.descriptor, nanoseconds)
        }
    }

    /// Never rings again.
    package func cancel() {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            if let key = state.key { thread.unwatch(state.descriptor, key) }
            Glibc.close(state.descriptor)
            state.descriptor = -1
        }
    }

    /// Makes the descriptor unreadable again. Returns false if the timer was cancelled.
    private func quieten() -> Bool {
        state.withLock { state in
            guard state.descriptor >= 0 else { return false }
            var count: UInt64 = 0
            return read(state.descriptor, &count, MemoryLayout<UInt64>.size) > 0
        }
    }
}
