import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Attempts that run")
struct RunningAttemptsTests {
    private let attempts = RunningAttempts(grace: .zero) { attempt, _, _ in
        await (attempt.sink as? BodySink)?.body()
        return nil
    }
    private let said = AsyncStream.makeStream(of: String.self)
    private let releases = AsyncStream.makeStream(of: Void.self)

    /// What is said next.
    private func next() async throws -> String? {
        try await Bounded.value(within: .seconds(60), "a word") {
            for await text in said.stream { return text }
            return nil
        }
    }

    /// Begins an attempt that does what `body` does.
    private func begin(
        within limit: Duration, maxConcurrent: Int = 10, _ id: String = "t",
        _ body: @escaping @Sendable () async -> Void
    ) {
        attempts.begin([.sample(id, sink: BodySink(maxConcurrent: maxConcurrent, timeLimit: limit, body: body))])
    }

    @Test("one over its limit is cancelled, the others go on")
    func limit() async throws {
        begin(within: .seconds(3_600)) {
            for await _ in releases.stream { break }
            said.continuation.yield(Task.isCancelled ? "cancelled" : "released")
        }
        begin(within: .milliseconds(1)) {
            try? await Task.sleep(for: .seconds(3_600))
            said.continuation.yield(Task.isCancelled ? "over" : "slept")
        }
        #expect(try await next() == "over")
        releases.continuation.yield()
        #expect(try await next() == "released")
        #expect(!attempts.isCancelled)
    }

    @Test("one that follows one over its limit is not cancelled with it")
    func afterLimit() async throws {
        begin(within: .milliseconds(1), maxConcurrent: 1) {
            try? await Task.sleep(for: .seconds(3_600))
            said.continuation.yield(Task.isCancelled ? "over" : "slept")
        }
        begin(within: .seconds(3_600), maxConcurrent: 1) {
            said.continuation.yield(Task.isCancelled ? "cancelled" : "fresh")
        }
        let words = [try await next(), try await next()]
        #expect(words == ["over", "fresh"])
    }

    @Test("one that waited has the whole of its own limit, and no more")
    func ownLimit() async throws {
        begin(within: .seconds(3_600), maxConcurrent: 1) { for await _ in releases.stream { break } }
        begin(within: .milliseconds(1), maxConcurrent: 1) {
            said.continuation.yield(Task.isCancelled ? "cancelled" : "fresh")
            try? await Task.sleep(for: .seconds(3_600))
            said.continuation.yield(Task.isCancelled ? "over" : "slept")
        }
        releases.continuation.yield()
        let words = [try await next(), try await next()]
        #expect(words == ["fresh", "over"])
    }

    @Test("of several that begin together each sink gets some of the room")
    func together() async throws {
        let sink = BodySink(maxConcurrent: 1_000, timeLimit: .seconds(3_600)) {
            try? await Task.sleep(for: .seconds(3_600))
        }
        let other = BodySink(maxConcurrent: 1_000, timeLimit: .seconds(3_600)) {
            said.continuation.yield("other")
            try? await Task.sleep(for: .seconds(3_600))
        }
        let wide = (0..<AttemptLines.limit).map { Attempt.sample("t\($0)", sink: sink) }
        attempts.begin(wide + [.sample("a", lane: "o", sink: other), .sample("b", lane: "o", sink: other)])
        let words = [try await next(), try await next()]
        #expect(words == ["other", "other"])
        attempts.cancel()
        try await Bounded.value(within: .seconds(60), "the end of all") { await attempts.ended() }
    }

    @Test("one that does not end at its limit is waited for")
    func waited() async throws {
        begin(within: .milliseconds(1)) {
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
        for _ in 0..<10 { begin(within: .seconds(3_600)) { try? await Task.sleep(for: .seconds(3_600)) } }
        attempts.cancel()
        try await Bounded.value(within: .seconds(60), "the end of all") { await attempts.ended() }
        #expect(attempts.isCancelled)
    }

    @Test("the dispatcher is told once of as many ends as gather until it looks")
    func ends() {
        let ends = AttemptEnds()
        let sink = BodySink(maxConcurrent: 1, timeLimit: .zero) {}
        let reading = ClockReading(now: at(0), setBy: .zero)
        let result = AttemptResult(outcome: .delivered, report: .empty, ended: reading, took: .zero)
        let isFirst = ["a", "b"].map { ends.add(.sample($0, sink: sink), result) }
        #expect(isFirst == [true, false])
        let taken = ends.takeAll().attempts.map(\.attempt.claimed.token)
        #expect(taken == ["a", "b"])
        let isFirstAgain = ends.add(.sample("c", sink: sink), result)
        #expect(isFirstAgain)
    }

    @Test("of what has ended the retries move with the clock, whatever the store has refused before")
    func retries() {
        let (ends, sink) = (AttemptEnds(), BodySink(maxConcurrent: 1, timeLimit: .zero) {})
        let reading = ClockReading(now: at(0), setBy: .zero)
        var run = DispatcherRun(at: reading, attempts, ends)
        run.settle(Attempt.sample("a", sink: sink).claimed, .skipped(reason: "x"), at: reading)
        for (id, outcome) in [("b", Outcome.delivered), ("c", .retry(at: at(5), reason: "y"))] {
            let result = AttemptResult(outcome: outcome, report: .empty, ended: reading, took: .zero)
            _ = ends.add(.sample(id, sink: sink), result)
        }
        run.finish(ends.takeAll())
        let settlements = run.settlements(at: ClockReading(now: at(60), setBy: .seconds(60)))
        #expect(settlements.map(\.token) == ["a", "b", "c"])
        #expect(settlements.map(\.outcome) == [.skipped(reason: "x"), .delivered, .retry(at: at(65), reason: "y")])
    }

    @Test("what waits for room begins when one ends, in its order, however many there are")
    func line() async throws {
        begin(within: .seconds(3_600), maxConcurrent: 1) { for await _ in releases.stream { break } }
        // More than would fit on a stack, were each begun inside the one before.
        let done = Watched<[Int]>([])
        for number in 0..<20_000 {
            begin(within: .seconds(3_600), maxConcurrent: 1) { done.update { $0.append(number) } }
        }
        releases.continuation.yield()
        #expect(await done.wait(upTo: .seconds(60)) { $0.count == 20_000 })
        #expect(done.value == Array(0..<20_000))
        try await Bounded.value(within: .seconds(60), "the end of all") { await attempts.ended() }
    }
}

extension Attempt {
    /// A first attempt of an expiry of `id`, to a lane with the name of the sink.
    static func sample(_ id: String = "t", lane: String = "s", sink: any Sink) -> Attempt {
        let claimed = ClaimedDelivery(
            token: id, id: DeliveryID(rawValue: id), definition: .test(id), occurrence: at(0), action: .expiry,
            sink: SinkKey(lane), sinkRevision: "1", due: at(0), attempt: 1, created: at(0), payload: .test)
        let made = MadeSink(ConfiguredSink(sink), lane: SinkLane.ID(key: SinkKey(lane), revision: "1"))
        return Attempt(claimed, to: made, stop: nil)
    }
}

/// A sink that only has something to be done.
private struct BodySink: Sink {
    static let kind = "body"
    static let options = KeyTable("a body", [])

    let maxConcurrent: Int
    let timeLimit: Duration
    let body: @Sendable () async -> Void

    init(maxConcurrent: Int, timeLimit: Duration, body: @escaping @Sendable () async -> Void) {
        self.maxConcurrent = maxConcurrent
        self.timeLimit = timeLimit
        self.body = body
    }

    init?(from reader: inout MappingReader, context: SinkContext) { nil }

    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        await body()
        return .empty
    }
}
