import FoundationEssentials
public import TminusCore

/// What every kind of sink must do, as a list of checks to run against real ends.
///
/// A test hands in how to make a sink with an end of its own, and how to see what arrived there; it then runs each of
/// ``checks``. A check throws a ``ConformanceFailure``, which says what was expected.
public struct SinkConformance: Sendable {
    /// One sink as written in a file, and the end it delivers to.
    public struct Bench: Sendable {
        /// The sink, to be made by the kind under test.
        public var spec: SinkSpec
        /// The payloads that have arrived so far, each a whole JSON object, in any order.
        public var arrived: @Sendable () async throws -> [[UInt8]]

        /// The sink itself, where one made from `spec` could not be given an end of its own.
        public var sink: (any Sink)?

        /// A sink and a view of its end.
        public init(
            spec: SinkSpec, sink: (any Sink)? = nil, arrived: @escaping @Sendable () async throws -> [[UInt8]]
        ) {
            self.spec = spec
            self.sink = sink
            self.arrived = arrived
        }
    }

    /// One thing that a sink must do.
    public struct Check: Sendable, CustomStringConvertible {
        /// A sentence.
        public let name: String
        /// Throws if it is not so.
        public let run: @Sendable (SinkConformance) async throws -> Void

        public var description: String { name }
    }

    /// The kind under test.
    public let kind: any Sink.Type
    /// A fresh end that takes what comes.
    public let bench: @Sendable () async throws -> Bench
    /// A fresh end that never answers, so that a delivery to it does not end by itself.
    public let stalledBench: @Sendable () async throws -> Bench

    /// A suite for one kind of sink.
    public init(
        _ kind: any Sink.Type, bench: @escaping @Sendable () async throws -> Bench,
        stalledBench: @escaping @Sendable () async throws -> Bench
    ) {
        self.kind = kind
        self.bench = bench
        self.stalledBench = stalledBench
    }

    /// Runs all checks; the first that fails ends the run.
    public func run() async throws {
        for check in Self.checks { try await check.run(self) }
    }

    /// All checks, independent of each other.
    public static let checks: [Check] = [
        Check(name: "an unknown option is reported, with a suggestion") { try await $0.reportsUnknownOptions() },
        Check(name: "the table of options describes the sink's own key first") { try await $0.describesItself() },
        Check(name: "one delivery arrives once, whole, with its id") { try await $0.expectArrivals(Deliveries.one()) },
        Check(name: "text of any kind arrives intact") {
            try await $0.expectArrivals(Deliveries.one(text: Deliveries.oddText))
        },
        Check(name: "the same delivery can be made again, with the same id") {
            try await $0.expectArrivals(Deliveries.one(), Deliveries.one(attempt: 2))
        },
        Check(name: "as many deliveries as allowed arrive at once, none mixed with another") {
            try await $0.deliversConcurrently()
        },
        Check(name: "a cancelled delivery ends soon, with an error") { try await $0.stopsOnCancellation() },
        Check(name: "a sink that never delivered shuts down") { try await $0.shutsDownUnused() },
    ]

    // MARK: The checks

    private func reportsUnknownOptions() async throws {
        var spec = try await bench().spec
        guard case .mapping(var entries) = spec.options.content else {
            throw ConformanceFailure("the options of the bench are not a mapping")
        }
        let option = kind.options.keys.last?.name ?? kind.kind
        entries.append(Node.Entry(key: option + "x", value: Node(.scalar("1"))))
        spec.options = Node(.mapping(entries))
        let diagnostics = DiagnosticBag(file: "conformance.yaml")
        _ = SinkRegistry([kind]).make(spec, root: "/", reporting: diagnostics)
        let messages = diagnostics.diagnostics.map(\.message)
        try expect(
            messages.contains { $0.contains("'\(option)x'") && $0.contains("'\(option)'?") },
            "an error about the key '\(option)x' that suggests '\(option)', got \(messages)")
    }

    private func describesItself() async throws {
        try expect(kind.options.keys.first?.name == kind.kind, "the first key of the table to be '\(kind.kind)'")
        try expect(
            kind.options.keys.allSatisfy { !$0.summary.isEmpty }, "a summary for each key")
    }

    /// Makes deliveries one after the other, each another attempt, and expects them whole at the end.
    private func expectArrivals(_ deliveries: Delivery...) async throws {
        let (sink, bench) = try await make(bench)
        for delivery in deliveries { try await deliver(delivery, to: sink) }
        await sink.shutdown()
        let expected = deliveries.map { ArrivedPayload($0) }
        let events = try await events(bench).sorted { $0.data.attempt < $1.data.attempt }
        try expect(events == expected, "\(expected), got \(events)")
    }

    private func deliversConcurrently() async throws {
        let (sink, bench) = try await make(bench)
        try expect(sink.maxConcurrent >= 1, "room for at least one delivery, got \(sink.maxConcurrent)")
        let deliveries = (0..<max(2, sink.maxConcurrent)).map { Deliveries.one(number: $0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for delivery in deliveries { group.addTask { try await deliver(delivery, to: sink) } }
            try await group.waitForAll()
        }
        await sink.shutdown()
        let arrived = try await events(bench).map(\.id).sorted()
        let expected = deliveries.map(\.id.rawValue).sorted()
        try expect(arrived == expected, "\(expected.count) payloads, each once, got \(arrived)")
    }

    private func stopsOnCancellation() async throws {
        let (sink, _) = try await make(stalledBench)
        let running = Task { await failure(of: Deliveries.one(), to: sink) }
        running.cancel()
        let end = try await Bounded.value(within: .seconds(180), "a cancelled delivery to end") { await running.value }
        try expect(end != nil, "an error from a cancelled delivery that did not end by itself")
        try await Bounded.value(within: .seconds(180), "the shutdown after a cancelled delivery") {
            await sink.shutdown()
        }
    }

    private func shutsDownUnused() async throws {
        let (sink, bench) = try await make(bench)
        try await Bounded.value("the shutdown of an unused sink") { await sink.shutdown() }
        let count = try await bench.arrived().count
        try expect(count == 0, "nothing to arrive from a sink that delivered nothing, got \(count) payloads")
    }

    // MARK: Helpers

    private func make(_ bench: () async throws -> Bench) async throws -> (any Sink, Bench) {
        let bench = try await bench()
        let diagnostics = DiagnosticBag(file: "conformance.yaml")
        guard let sink = SinkRegistry([kind]).make(bench.spec, root: "/", reporting: diagnostics),
            !diagnostics.hasErrors
        else {
            throw ConformanceFailure(
                "the options of the bench do not decode: \(diagnostics.diagnostics.map(\.message))")
        }
        return (bench.sink ?? sink.sink, bench)
    }

    private func deliver(_ delivery: Delivery, to sink: any Sink) async throws {
        let error = try await Bounded.value("a delivery to end") {
            await failure(of: delivery, to: sink)
        }
        if let error { throw ConformanceFailure("a delivery failed: \(error.reason)") }
    }

    private func failure(of delivery: Delivery, to sink: any Sink) async -> DeliveryError? {
        do throws(DeliveryError) {
            try await sink.deliver(delivery)
            return nil
        } catch {
            return error
        }
    }

    private func events(_ bench: Bench) async throws -> [ArrivedPayload] {
        try await bench.arrived().map { bytes in
            do {
                return try JSONDecoder().decode(ArrivedPayload.self, from: Data(bytes))
            } catch {
                throw ConformanceFailure("what arrived is no payload: \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    private func expect(_ isSo: Bool, _ expected: @autoclosure () -> String) throws {
        if !isSo { throw ConformanceFailure("\(kind.kind): expected \(expected())") }
    }
}
