import TminusTestKit

@testable import TminusCore
@testable import TminusDaemon

/// Figures of services that never ran, for pages that are the same on every machine.
enum MetricFixture {
    /// A sink with that name; nil for one written inside an action.
    static func spec(_ name: String?, _ kind: String = "webhook") -> SinkSpec {
        SinkSpec(name: name, kind: kind, options: Node(.null), directory: "/")
    }

    /// What an engine has counted that delivered to each of `sinks`, with each outcome.
    static func engine(_ sinks: [SinkSpec]) -> EngineFigures {
        var figures = EngineFigures()
        figures.steps = 12
        figures.lag.observe(.microseconds(300))
        figures.lag.observe(.milliseconds(2))
        figures.nextDue = at(3_600)
        for (number, spec) in sinks.enumerated() {
            let slots = figures.dispatch.slots(of: spec)
            figures.running[slots.sink, default: 0] += 1
            for outcome in [
                Outcome.delivered, .retry(at: at(1), reason: "HTTP 500"), .dead(reason: "HTTP 404"),
                .expired(reason: "timed out after 10 s"),
            ] {
                figures.dispatch.ended(
                    outcome, after: .milliseconds(7 * (number + 1)), sink: slots.sink, kind: slots.kind)
                figures.dispatch.settled(outcome, sink: slots.sink)
            }
        }
        let firing = Firing(
            definition: .test("tea"), occurrence: at(0), action: .expiry, due: at(0), payload: .test,
            sinks: [SinkKey("chat")])
        var delivery = Delivery(firing, to: firing.targets[0])
        figures.dispatch.began(delivery, at: at(0).advanced(by: .milliseconds(3)))
        delivery.attempt = 2
        figures.dispatch.began(delivery, at: at(900))
        var commit = Commit(firings: [firing])
        commit.omissions = [
            Omission(
                definition: .test("tea"), occurrence: at(0), action: .expiry, due: at(0), reason: .tooLate, count: 3)
        ]
        figures.written(commit)
        return figures
    }
}
