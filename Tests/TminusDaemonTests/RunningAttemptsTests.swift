import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Attempts that run")
struct RunningAttemptsTests {
    private let attempts = RunningAttempts()
    private let said = AsyncStream.makeStream(of: String.self)
    private let releases = AsyncStream.makeStream(of: Void.self)

    /// What is said next.
    private func next() async throws -> String? {
        try await Bounded.value(within: .seconds(60), "a word") {
            for await text in said.stream { return text }
            return nil
        }
    }

    @Test("one over its limit is cancelled, the others go on")
    func limit() async throws {
        attempts.start(within: .seconds(3_600)) {
            for await _ in releases.stream { break }
            said.continuation.yield(Task.isCancelled ? "cancelled" : "released")
        }
        attempts.start(within: .milliseconds(1)) {
            try? await Task.sleep(for: .seconds(3_600))
            said.continuation.yield(Task.isCancelled ? "over" : "slept")
        }
        #expect(try await next() == "over")
        releases.continuation.yield()
        #expect(try await next() == "released")
        #expect(!attempts.isCancelled)
    }

    @Test("one that does not end at its limit is waited for")
    func waited() async throws {
        attempts.start(within: .milliseconds(1)) {
            try? await Task.sleep(for: .seconds(3_600))
            said.continuation.yield("over")
            await Task { for await _ in releases.stream { break } }.value
            said.continuation.yield("ends")
        }
        #expect(try await next() == "over")
        let waiting = Task {
            await attempts.ended()
            said.continuation.yield("ended")
        }
        for _ in 0..<100 { await Task.yield() }
        releases.continuation.yield()
        #expect(try await next() == "ends")
        #expect(try await next() == "ended")
        await waiting.value
    }

    @Test("all can be cancelled, whatever time they have")
    func cancel() async throws {
        for _ in 0..<10 { attempts.start(within: .seconds(3_600)) { try? await Task.sleep(for: .seconds(3_600)) } }
        attempts.cancel()
        try await Bounded.value(within: .seconds(60), "the end of all") { await attempts.ended() }
        #expect(attempts.isCancelled)
    }
}
