import TestServer
import Testing
import TminusCore
import TminusSinks
import TminusTestKit

@testable import TminusDaemon

@Suite("Hostile webhooks", .serialized)
struct HostileWebhookTests {
    /// The clock stands still here, so a delivery that waited for a webhook's end or time limit would not come at all.
    @Test(
        "a webhook to a hostile server makes no delivery of another sink late",
        arguments: [
            "/hang", "/slow-headers", "/informational", "/endless", "/endless-headers", "/giant-header", "/reset",
            "/close",
            "/half-close", "/half-head", "/garbage", "/redirect-loop", "/status/429?retry-after=7",
        ])
    func lateness(path: String) async throws {
        let server = try await TestServer.started()
        let recording = Recording()
        var harness = DaemonHarness()
        harness.stopLimit = .zero
        harness.sinks = SinkRegistry([RecordingSink.self, WebhookSink.self])
        func spec(_ path: String, _ options: (String, String)...) -> SinkSpec {
            let entries = ([("webhook", server.url(path))] + options).map {
                Node.Entry(key: $0.0, value: Node(.scalar($0.1)))
            }
            return SinkSpec(name: "hook", kind: "webhook", options: Node(.mapping(entries)), directory: "/")
        }
        let hook = spec(path, ("timeout", "50s"), ("redirects", "follow"))
        let question = spec("/await/received\(path.prefix { $0 != "?" })", ("timeout", "60s"))
        let asking = try #require(harness.sinks.make(question, root: "/", reporting: DiagnosticBag(file: "test.yaml")))
        try await harness.run { [harness] _ in
            harness.load(
                (0..<20).map { .timer("t\($0)", to: ["hook", "s"]) }, [hook, recording.sink(maxConcurrent: 1)])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForEnds(20, upTo: Bounded.limit)
            let now = harness.clock.now
            #expect(recording.deliveries.allSatisfy { $0.due.duration(to: now) < .milliseconds(50) })
            // Now, and not only later, the webhooks are with the server, or were.
            try await asking.sink.deliver(Deliveries.one())
        }
    }
}
