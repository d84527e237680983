import Testing

@testable import TminusCore

@Suite("Reports of repeated failures")
struct FailureThrottleTests {
    private func delivery(_ id: String, tries: Int) -> Delivery {
        var delivery = Delivery.test(id)
        delivery.claim.tries = tries
        return delivery
    }

    @Test("the first ten failures of a delivery are reported, then one a minute")
    func pause() {
        var throttle = FailureThrottle()
        let first = (1...10).filter { throttle.reports(delivery("a", tries: $0), at: at(0)) }
        #expect(first.count == 10)
        let later = (0..<180).filter { throttle.reports(delivery("a", tries: 11 + $0), at: at(Double($0))) }
        #expect(later == [0, 60, 120])
        let other = throttle.reports(delivery("b", tries: 11), at: at(179))
        #expect(other, "another delivery counts by itself")
    }

    @Test("deliveries beyond number do not pile up")
    func many() {
        var throttle = FailureThrottle()
        for number in 0..<5_000 { _ = throttle.reports(delivery("d\(number)", tries: 11), at: at(Double(number))) }
        let isKept = throttle.reports(delivery("d4999", tries: 12), at: at(5_000))
        #expect(!isKept)
        #expect(throttle.count < 2_000)
    }

    @Test("the engine reports a delivery that failed often once a minute, and its end always")
    func engine() throws {
        var script = EngineScript()
        func fail(_ tries: Int, _ outcome: Outcome) throws -> Int {
            let turn = script.claim([delivery("a", tries: tries)], sinks: [.test()])
            script.settle()
            let reports = script.step(script.end(try #require(turn.begin.first), outcome)).reports
            script.settle()
            return reports.filter { if case .delivery = $0 { true } else { false } }.count
        }
        let retry = Outcome.retry(at: at(0), reason: "busy")
        #expect(try (9...13).map { try fail($0, retry) } == [1, 1, 1, 0, 0])
        script.seconds = 60
        #expect(try fail(14, retry) == 1)
        #expect(try fail(15, .dead(reason: "busy")) == 1)
    }
}
