import Synchronization
import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Attempts that run")
struct RunningAttemptsTests {
    private let attempts = RunningAttempts(
        by: DeliveryWorker(clock: ManualClock(now: at(0)), source: "test", share: { 0 }), grace: .zero
    ) { _, _ in }
    private let said = AsyncStream.makeStream(of: String.self)
    private let releases = AsyncStream.makeStream(of: Void.self)

    /// What is said next.
    private func next() async throws -> String? {
        try await Bounded.value(within: .seconds(60), "a word") {
            for await text in said.stream { return text }
            return nil
        }
    }

    /// Begins an attempt that does what `body` does, by a sink of its own.
    private func begin(within limit: Duration, _ body: @escaping @Sendable () async -> Void) {
        attempts.begin([.sample(["t"], sink: BodySink(maxConcurrent: 10, timeLimit: limit, body: body))])
    }

    /// Begins an attempt that does what `body` does, behind the others in `line`.
    private func begin(in line: AttemptGroup, _ body: @escaping @Sendable () async -> Void) {
        (line.made.sink as? LineSink)?.bodies.withLock { $0.append(body) }
        attempts.begin([line.with(["t"])])
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
        let sink = LineSink(timeLimit: .milliseconds(1))
        let line = AttemptGroup.sample([], sink: sink)
        begin(in: line) {
            try? await Task.sleep(for: .seconds(3_600))
            sink.limit.withLock { $0 = .seconds(3_600) }
            said.continuation.yield(Task.isCancelled ? "over" : "slept")
        }
        begin(in: line) {
            said.continuation.yield(Task.isCancelled ? "cancelled" : "fresh")
        }
        let words = [try await next(), try await next()]
        #expect(words == ["over", "fresh"])
    }

    @Test("one that waited has the whole of its own limit, and no more")
    func ownLimit() async throws {
        let sink = LineSink(timeLimit: .seconds(3_600))
        let line = AttemptGroup.sample([], sink: sink)
        begin(in: line) {
            for await _ in releases.stream { break }
            sink.limit.withLock { $0 = .milliseconds(1) }
        }
        begin(in: line) {
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
        let wide = AttemptGroup.sample((0..<AttemptLines.limit).map { "t\($0)" }, sink: sink)
        attempts.begin([wide, .sample(["a", "b"], lane: "o", sink: other)])
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
        let group = AttemptGroup.sample(["a", "b", "c"], sink: BodySink(maxConcurrent: 1, timeLimit: .zero) {})
        let reading = ClockReading(now: at(0), setBy: .zero)
        let result = AttemptResult(outcome: .delivered, report: .empty, ended: reading, took: .zero)
        let isFirst = group.attempts.prefix(2).map { ends.add($0, result) }
        #expect(isFirst == [true, false])
        let counts = ends.takeEnded().groups.map(\.count)
        #expect(counts == [2])
        let isFirstAgain = ends.add(group.attempts[2], result)
        #expect(isFirstAgain)
        let (ended, unsettled) = ends.takeAll()
        #expect(ended.groups.map(\.count) == [1])
        #expect(unsettled.settlements(at: reading).map(\.token) == ["a", "b", "c"])
        let rest = ends.takeAll()
        #expect(rest.ended.isEmpty && rest.unsettled.isEmpty)
    }

    @Test("ends are counted by sink, in a row, and those that could have been replaced are named")
    func groups() {
        let (ends, sink) = (AttemptEnds(), BodySink(maxConcurrent: 1, timeLimit: .zero) {})
        let (one, other) = (
            AttemptGroup.sample(["a", "b", "c"], sink: sink), AttemptGroup.sample(["d"], lane: "o", sink: sink)
        )
        let stopped = Attempt(claimed: one.claimed[2], made: one.made, stop: AttemptStop())
        for (second, attempt) in [one.attempts[0], one.attempts[1], other.attempts[0], stopped].enumerated() {
            let reading = ClockReading(now: at(Double(second)), setBy: .zero)
            let result = AttemptResult(
                outcome: .delivered, report: .empty, ended: reading, took: .seconds(second))
            _ = ends.add(attempt, result)
        }
        let ended = ends.takeEnded()
        #expect(ended.groups.map(\.made.lane.key.rawValue) == ["s", "o", "s"])
        #expect(ended.groups.map(\.count) == [2, 1, 1])
        #expect(ended.groups.map(\.took) == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(ended.groups.map(\.at.now) == [at(1), at(2), at(3)])
        #expect(ended.replaceable == ["c"])
    }

    @Test("a dispatcher that stops is not over before what has ended is recorded")
    func recordedBeforeOver() {
        let (ends, sink) = (AttemptEnds(), BodySink(maxConcurrent: 1, timeLimit: .zero) {})
        let group = AttemptGroup.sample(["a"], sink: sink)
        let reading = ClockReading(now: at(0), setBy: .zero)
        var run = DispatcherRun(at: reading, attempts, ends)
        run.lanes.open(group.made.lane, ConfiguredSink(sink), at: at(0))
        run.lanes.begin(group.made.lane, at: at(0))
        run.isStopping = true
        _ = ends.add(
            group.attempts[0], AttemptResult(outcome: .delivered, report: .empty, ended: reading, took: .zero))
        #expect(!run.isOver)
        run.finish()
        run.finish()
        #expect(run.lanes.inHand == 0 && run.hasEnds && !run.isOver)
        run.finishToRecord()
        #expect(run.unsettled.count == 1 && !run.isOver)
        run.settled()
        #expect(run.isOver)
    }

    @Test("of what has ended the retries move with the clock, whatever the store has refused before")
    func retries() {
        let ends = AttemptEnds()
        let group = AttemptGroup.sample(["a", "b", "c"], sink: BodySink(maxConcurrent: 1, timeLimit: .zero) {})
        let reading = ClockReading(now: at(0), setBy: .zero)
        var run = DispatcherRun(at: reading, attempts, ends)
        run.settle(group.attempts[0].claimed, .skipped(reason: "x"), at: reading)
        for (attempt, outcome) in zip(group.attempts[1...], [.delivered, Outcome.retry(at: at(5), reason: "y")]) {
            let result = AttemptResult(outcome: outcome, report: .empty, ended: reading, took: .zero)
            _ = ends.add(attempt, result)
        }
        run.finishToRecord()
        let settlements = run.unsettled.settlements(at: ClockReading(now: at(60), setBy: .seconds(60)))
        #expect(settlements.map(\.token) == ["a", "b", "c"])
        #expect(settlements.map(\.outcome) == [.skipped(reason: "x"), .delivered, .retry(at: at(65), reason: "y")])
    }

    @Test("what waits for room begins when one ends, in its order, however many there are")
    func line() async throws {
        let line = AttemptGroup.sample([], sink: LineSink(timeLimit: .seconds(3_600)))
        begin(in: line) { for await _ in releases.stream { break } }
        // More than would fit on a stack, were each begun inside the one before.
        let done = Watched<[Int]>([])
        for number in 0..<20_000 {
            begin(in: line) { done.update { $0.append(number) } }
        }
        releases.continuation.yield()
        #expect(await done.wait(upTo: .seconds(60)) { $0.count == 20_000 })
        #expect(done.value == Array(0..<20_000))
        try await Bounded.value(within: .seconds(60), "the end of all") { await attempts.ended() }
    }
}

extension AttemptGroup {
    /// First attempts of expiries of these ids, to a lane with the name of the sink.
    static func sample(_ ids: [String], lane: String = "s", sink: any Sink) -> AttemptGroup {
        let made = MadeSink(ConfiguredSink(sink), lane: SinkLane.ID(key: SinkKey(lane), revision: "1"))
        return AttemptGroup(made: made, claimed: [], stops: [:]).with(ids)
    }

    /// Others by the same sink.
    func with(_ ids: [String]) -> AttemptGroup {
        let claimed = ids.map { id in
            ClaimedDelivery(
                token: id, id: DeliveryID(rawValue: id), definition: .test(id), occurrence: at(0), action: .expiry,
                sink: made.lane.key, sinkRevision: "1", due: at(0), attempt: 1, created: at(0), payload: .test)
        }
        return AttemptGroup(made: made, claimed: claimed[...], stops: [:])
    }

    /// Each of them.
    var attempts: [Attempt] { claimed.map { Attempt(claimed: $0, made: made, stop: nil) } }
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

/// A sink that has one thing done after the other.
private final class LineSink: Sink {
    static let kind = "line"
    static let options = KeyTable("a line", [])

    let maxConcurrent = 1
    let limit: Mutex<Duration>
    let bodies = Mutex<[@Sendable () async -> Void]>([])

    init(timeLimit: Duration) { limit = Mutex(timeLimit) }

    init?(from reader: inout MappingReader, context: SinkContext) { nil }

    var timeLimit: Duration { limit.withLock { $0 } }

    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        let body = bodies.withLock { $0.removeFirst() }
        await body()
        return .empty
    }
}
