import Foundation
import Synchronization
import Testing
import TminusCore
import TminusSystem
import TminusTestKit

@testable import TminusDaemon

/// More due at once than one step takes, with the services on one thread as in the daemon.
@Suite("A flood")
struct FloodTests {
    private let recording = Recording()

    @Test("what was due first is delivered while the rest is fired, by another thread")
    func beside() async throws {
        var pinned = DaemonHarness()
        let thread = try ServiceThread()
        defer { thread.end() }
        pinned.executor = thread
        let harness = pinned
        let wasDelivered = Mutex<[Bool]>([])
        try await harness.run { _ in
            harness.load((0..<3_000).map { .timer("t\($0)") }, [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.store.beforeAdvance { [recording] advance in
                guard !advance.firings.isEmpty else { return }
                // The first is written on the thread of the dispatcher, and nothing can be delivered before.
                let isFirst = wasDelivered.withLock { $0.isEmpty }
                let isDelivered = !isFirst && Self.waits { !recording.deliveries.isEmpty }
                wasDelivered.withLock { $0.append(isDelivered) }
            }
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForDeliveries(3_000, upTo: .seconds(60))
        }
        #expect(wasDelivered.withLock { $0 } == [false, true, true])
        #expect(Set(recording.deliveries.map(\.id)).count == 3_000)
    }

    /// Holds the thread up until that is so; false if it never is.
    private static func waits(_ isSatisfied: () -> Bool) -> Bool {
        for _ in 0..<10_000 {
            if isSatisfied() { return true }
            usleep(1_000)
        }
        return false
    }
}
