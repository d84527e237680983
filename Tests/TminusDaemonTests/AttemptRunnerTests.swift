import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Attempt runner")
struct AttemptRunnerTests {
    private let clock = ManualClock(now: at(100))
    private let runner: AttemptRunner
    private let outcomes = Watched<[AttemptOutcome]>([])
    private let releases = AsyncStream.makeStream(of: Void.self)

    init() {
        let outcomes = outcomes
        runner = AttemptRunner(
            clock: clock, grace: .zero, share: { 1 },
            report: { outcome in outcomes.update { $0.append(outcome) } })
    }

    /// Begins an attempt of a sink that does what `body` does.
    private func begin(
        _ number: Attempt.Number, within limit: Duration = .seconds(3_600), tries: Int = 1,
        _ body: @escaping @Sendable () async throws(DeliveryError) -> DeliveryReport
    ) {
        var delivery = Delivery(
            id: DeliveryID(definition: .test("t"), occurrence: at(60), action: .expiry, sink: SinkKey("s")),
            definition: .test("t"), occurrence: at(60), action: .expiry, sink: SinkKey("s"), due: at(60), attempt: 1,
            source: "", payload: .test)
        delivery.claim = Delivery.Claim(tries: tries, since: at(60))
        runner.begin(
            Attempt(number, delivery: delivery, sink: ConfiguredSink(BodySink(timeLimit: limit, body: body))))
    }

    /// Waits until so many attempts have ended, and returns them.
    private func ended(_ count: Int) async throws -> [AttemptOutcome] {
        guard await outcomes.wait(upTo: Bounded.limit, until: { $0.count >= count }) else {
            throw ConformanceFailure("\(outcomes.value.count) of \(count) attempts ended")
        }
        return outcomes.value
    }

    /// Does not end before it is cancelled.
    private static let hanging: @Sendable () async throws(DeliveryError) -> DeliveryReport = {
        () async throws(DeliveryError) in
        // Hangs until it is cancelled.
        try? await Task.sleep(for: .seconds(3_600))
        throw .transient(Task.isCancelled ? "cancelled" : "slept")
    }

    @Test("the time limit cancels its own attempt and no other")
    func limit() async throws {
        let releases = releases
        begin(1) { () async throws(DeliveryError) in
            for await _ in releases.stream { break }
            if Task.isCancelled { throw .transient("cancelled") }
            return .empty
        }
        begin(2, within: .milliseconds(1), Self.hanging)
        let first = try await ended(1)
        #expect(first.map(\.attempt) == [2])
        #expect(first[0].outcome == .retry(at: at(101), reason: "cancelled"))
        releases.continuation.yield()
        #expect(try await ended(2).map(\.outcome).last == .delivered)
    }

    @Test("an attempt that does not end at its limit is waited for")
    func exceedsLimit() async throws {
        let (releases, isOver) = (releases, Watched(false))
        begin(1, within: .milliseconds(1)) { () async throws(DeliveryError) in
            // Hangs until it is cancelled.
            try? await Task.sleep(for: .seconds(3_600))
            isOver.update { $0 = true }
            await Task { for await _ in releases.stream { break } }.value
            return .empty
        }
        #expect(await isOver.wait(upTo: Bounded.limit) { $0 })
        #expect(outcomes.value.isEmpty)
        let waiting = Task { [outcomes, runner] in
            await runner.ended()
            return outcomes.value.count
        }
        releases.continuation.yield()
        #expect(await waiting.value == 1)
    }

    @Test("a cancelled attempt is reported, and the others run on")
    func cancel() async throws {
        let releases = releases
        for number: Attempt.Number in [1, 2] { begin(number, Self.hanging) }
        begin(3) { () async throws(DeliveryError) in
            for await _ in releases.stream { break }
            return .empty
        }
        runner.cancel(2)
        runner.cancel(99)
        #expect(try await ended(1).map(\.attempt) == [2])
        runner.cancel(1)
        _ = try await ended(2)
        releases.continuation.yield()
        #expect(try await ended(3).map(\.outcome).last == .delivered)
    }

    @Test("the end of all attempts can be awaited, and each is reported once")
    func all() async throws {
        for number: Attempt.Number in 0..<10 { begin(number, Self.hanging) }
        begin(10) { () async throws(DeliveryError) in .empty }
        let waiting = Task { [outcomes, runner] in
            await runner.ended()
            return outcomes.value.count
        }
        for number: Attempt.Number in 0..<10 { runner.cancel(number) }
        #expect(await waiting.value == 11)
        #expect(Set(outcomes.value.map(\.attempt)).count == 11)
        await runner.ended()
    }

    @Test("a delivered attempt carries the report and the instant of its end")
    func delivered() async throws {
        let report = DeliveryReport(httpStatus: 202)
        begin(1) { () async throws(DeliveryError) in report }
        let outcome = try #require(try await ended(1).first)
        #expect(outcome.outcome == .delivered)
        #expect(outcome.report == report)
        #expect(outcome.ended == clock.reading)
    }

    @Test(
        "a failed attempt carries the report, and what the retry policy says",
        arguments: [
            (DeliveryError.transient("busy"), 1, Outcome.retry(at: at(101), reason: "busy")),
            (.transient("busy"), 3, .retry(at: at(104), reason: "busy")),
            (.permanent("gone"), 1, .dead(reason: "gone")),
        ])
    func failed(_ error: DeliveryError, tries: Int, _ expected: Outcome) async throws {
        var error = error
        error.report = DeliveryReport(httpStatus: 500)
        let thrown = error
        begin(1, tries: tries) { () async throws(DeliveryError) in throw thrown }
        let outcome = try #require(try await ended(1).first)
        #expect(outcome.outcome == expected)
        #expect(outcome.report == error.report)
    }
}

/// A sink that only runs a closure.
private struct BodySink: Sink {
    static let kind = "body"
    static let options = KeyTable("a body", [])

    let maxConcurrent = 1
    let timeLimit: Duration
    let body: @Sendable () async throws(DeliveryError) -> DeliveryReport

    init(timeLimit: Duration, body: @escaping @Sendable () async throws(DeliveryError) -> DeliveryReport) {
        self.timeLimit = timeLimit
        self.body = body
    }

    init?(from reader: inout MappingReader, context: SinkContext) { nil }

    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport { try await body() }
}
