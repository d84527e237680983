import Testing
import TminusCore
import TminusSystem
import TminusTestKit

@testable import TminusDaemon

/// More due at once than one commit takes, with the engine on one thread as in the daemon.
@Suite("A flood")
struct FloodTests {
    private let recording = Recording()

    /// What was seen of a commit before it was made.
    private struct Seen: Sendable {
        var firings: Int
        var settlements: Int
        var isControl: Bool
        /// How many attempts had begun.
        var begun: Int

        init(_ commit: Commit, begun: Int) {
            firings = commit.firings.count
            settlements = commit.settlements.count
            isControl = commit.schedules.map(\.id) == [.test("tea")]
            self.begun = begun
        }
    }

    /// Runs a flood of 3,000, and returns its commits. `before` is called before each commit with those seen so far.
    private func flood(
        before: @escaping @Sendable (DaemonHarness, [Seen]) async -> Void = { _, _ in }
    ) async throws -> [Seen] {
        let thread = try ServiceThread()
        defer { thread.end() }
        var pinned = DaemonHarness()
        pinned.executor = thread
        let harness = pinned
        let seen = Watched<[Seen]>([])
        try await harness.run { _ in
            harness.load(
                (0..<3_000).map { .timer("t\($0)") } + [.timer("tea", .seconds(600))],
                [recording.sink(maxConcurrent: 256)])
            try await harness.sleeps(until: at(60))
            harness.store.beforeCommit { [recording] commit in
                let all = seen.update { seen in
                    seen.append(Seen(commit, begun: recording.deliveries.count))
                    return seen
                }
                await before(harness, all)
            }
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForEnds(3_000, upTo: Bounded.limit)
        }
        #expect(Set(recording.deliveries.map(\.id)).count == 3_000)
        return seen.value
    }

    @Test("the first deliveries begin before the last commit of the flood is made")
    func beginsEarly() async throws {
        let commits = try await flood().filter { $0.firings > 0 }
        #expect(commits.allSatisfy { $0.firings <= 1_000 })
        #expect(commits.map(\.firings).reduce(0, +) == 3_000)
        #expect(commits.first?.begun == 0)
        #expect((commits.last?.begun ?? 0) > 0)
    }

    @Test("a control is in the next commit")
    func control() async throws {
        let answers = Watched<[ScheduleState.Phase]>([])
        let commits = try await flood { harness, seen in
            guard seen.filter({ $0.firings > 0 }).count == 1, seen.last?.firings != 0 else { return }
            // It runs up to where it waits for the answer: the request is in the mailbox when the commit is made.
            Task.immediate {
                let entry = try await harness.client.perform(
                    ControlRequest(id: .test("tea"), control: .pause, by: "ada"))
                answers.update { $0.append(entry.state.phase) }
            }
        }
        #expect(await answers.wait(upTo: Bounded.limit) { $0 == [.paused] })
        let first = try #require(commits.firstIndex { $0.firings > 0 })
        #expect(commits.firstIndex(where: \.isControl) == first + 1)
        #expect(commits.dropFirst(first + 2).contains { $0.firings > 0 })
    }

    @Test("an attempt that ends while a commit is made is recorded by the next one")
    func endedAttempt() async throws {
        let recording = recording
        let commits = try await flood { _, seen in
            guard seen.filter({ $0.firings > 0 }).count == 2, seen.last?.firings != 0 else { return }
            try? await recording.waitForEnds(1, upTo: Bounded.limit)
        }
        let flood = commits.filter { $0.firings > 0 }
        #expect(flood[1].settlements == 0)
        #expect(flood[2].settlements > 0)
    }
}
