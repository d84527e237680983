internal import Foundation

/// Work of a test that blocks its thread.
package enum Blocking {
    /// The value of `work`, which runs on a thread of its own. The pool of tasks has one thread per core. With two cores, two
    /// calls that block would stop all other tests.
    package static func value<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}
