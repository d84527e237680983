internal import Dispatch
internal import Synchronization

/// Calls that a file system or a server may never answer.
package enum Bounded {
    /// Runs `work` on a thread of its own. Returns nil when the time is over; the thread then goes on until the end of the
    /// process. A limit of zero is over at once.
    package static func run<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () -> Value
    ) async -> Value? {
        guard limit > .zero else { return nil }
        return await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            let end = End(continuation)
            DispatchQueue(label: "tminus.doctor").async { end.resume(work()) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(limit.milliseconds)) { end.resume(nil) }
        }
    }

    /// A continuation that is resumed once.
    private final class End<Value: Sendable>: Sendable {
        private let continuation: Mutex<CheckedContinuation<Value?, Never>?>

        init(_ continuation: CheckedContinuation<Value?, Never>) {
            self.continuation = Mutex(continuation)
        }

        func resume(_ value: Value?) {
            let first = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            first?.resume(returning: value)
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
