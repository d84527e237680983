import Testing
import TminusTestKit

@testable import TminusCore
@testable import TminusDaemon

@Suite("What the engine counts")
struct EngineFigureTests {
    private let recording = Recording()
    private let handed = Watched<[EngineFigures]>([])

    private func harness() -> DaemonHarness {
        var harness = DaemonHarness()
        harness.handOver = { [handed] figures in handed.update { $0.append(figures) } }
        return harness
    }

    /// The figures that the engine hands over when it is asked, once they are as wanted.
    private func figures(
        _ harness: DaemonHarness, until isWanted: (EngineFigures) -> Bool
    ) async throws -> EngineFigures {
        while true {
            let count = handed.value.count
            harness.engine.send(.ping)
            guard await handed.wait(upTo: Bounded.limit, until: { $0.count > count }), let last = handed.value.last
            else {
                throw ConformanceFailure("no figures")
            }
            if isWanted(last) { return last }
        }
    }

    @Test("each attempt counts by its result, a delivery once and only when its end is written")
    func attempts() async throws {
        recording.answer { delivery in
            switch delivery.attempt {
            case 1: .fail(.transient("busy"))
            case 2: .fail(.transient("timed out after 10 s"))
            default: .deliver
            }
        }
        let harness = harness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            // A sink to which nothing was sent yet counts with 0.
            let before = try await figures(harness) {
                $0.definitions.count(.timer, .running) == 1 && $0.dispatch.sinks.names.count == 1
            }
            #expect(before.nextDue == at(60) && before.firings.allSatisfy { $0 == 0 })
            for second in [60.0, 61, 63] {
                try await harness.sleeps(until: at(second))
                harness.clock.advance(by: harness.clock.now.duration(to: at(second)))
            }
            let after = try await figures(harness) { $0.dispatch.ends == 1 }
            let results = DispatchFigures.Result.allCases.map { after.dispatch.count($0, sink: 0) }
            #expect(results == [1, 1, 0, 1])
            let ends = DispatchFigures.End.allCases.map { after.dispatch.count($0, sink: 0) }
            #expect(ends == [1, 0, 0, 0, 0])
            #expect(after.dispatch.lateness[FiringAction.Kind.expiry.place].count == 1)
            #expect(after.dispatch.durations[0].count == 3)
            #expect(after.firings[FiringAction.Kind.expiry.place] == 1)
            #expect(after.definitions.count(.timer, .expired) == 1 && after.definitions.count(.timer, .running) == 0)
            #expect(after.lag.count >= 3 && after.steps > before.steps && after.nextDue == nil)
            #expect(after.running.values.allSatisfy { $0 == 0 })
        }
    }

    @Test("what a commit that fails would have written counts once, when it is written")
    func refused() async throws {
        let harness = harness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.store.refuse(.firings)
            harness.clock.advance(by: .seconds(60))
            // It is tried again a second later.
            try await harness.sleeps(until: at(61))
            let refused = try await figures(harness) { _ in true }
            #expect(refused.firings.allSatisfy { $0 == 0 })
            harness.store.work()
            harness.clock.advance(by: .seconds(1))
            try await harness.settled(1)
            let written = try await figures(harness) { $0.dispatch.ends == 1 }
            #expect(written.firings[FiringAction.Kind.expiry.place] == 1)
        }
    }
}

extension DispatchFigures {
    /// The number of deliveries to the first sink that have ended.
    fileprivate var ends: UInt64 { End.allCases.reduce(0) { $0 + count($1, sink: 0) } }
}
