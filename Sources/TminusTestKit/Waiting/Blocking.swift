internal import Foundation

/// Work of a test that blocks its thread.
package enum Blocking {
    /// The value of `work`, which runs on a thread of its own. The pool of tasks has a thread for each core, so on a machine
    /// with two of them two such works would otherwise stop all other tests.
    package static func value<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}
