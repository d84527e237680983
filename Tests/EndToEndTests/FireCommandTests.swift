import Foundation
import Testing

/// What `tminus fire` says of sinks that take a delivery, and of those that do not.
@Suite("Trying actions by the command")
struct FireCommandTests {
    private typealias Result = (status: CInt, output: [String], errors: [String])

    private func tminus(_ scratch: Scratch, _ arguments: String...) async throws -> Result {
        let program = try Program(Program.tminus, arguments + ["--state", scratch.state])
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    private struct Answer: Decodable {
        struct Delivery: Decodable {
            var sink: String
            var outcome: String?
            var reason: String?
            var message: String?
        }

        var deliveries: [Delivery]
    }

    // The slow sink hangs, to show that `--no-wait` does not wait for it.
    private static let timers = """
        sinks:
          good: { shell: "true" }
          busy: { shell: exit 75, retry: { first: 1h, max: 1h } }
          bad: { shell: exit 1 }
          slow: { shell: sleep 60 }
        timers:
          tea: { duration: 1h, start: manual, on-expiry: [good] }
          all: { duration: 1h, start: manual, on-expiry: [good, busy, bad] }
          inline:
            duration: 1h
            start: manual
            on-expiry: [{ shell: exit 1 }]
          late: { duration: 1h, start: manual, on-expiry: [slow] }
        """

    @Test("the outcome at each sink is waited for and told, and the exit status is that of all of them")
    func outcomes() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.timers)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        #expect(try await tminus(scratch, "fire", "tea") == (0, ["good: delivered"], []))
        let inline = try await tminus(scratch, "fire", "inline")
        #expect(inline == (1, ["shell 'exit 1' (a.yaml:12): dead: exit status 1"], []))
        let listed = try await tminus(scratch, "deliveries", "--id", "inline")
        let listedAs = " to shell 'exit 1' (a.yaml:12): discarded, because exit status 1"
        #expect(listed.output.first?.contains(listedAs) == true, "\(listed)")
        let inJSON = try await tminus(scratch, "deliveries", "--id", "inline", "--json").output.joined()
        #expect(inJSON.contains(#""sink":"shell:"#), "the key stays in JSON")
        try await daemon.errors.first("the failure") { $0.contains("shell 'exit 1' (a.yaml:12)") }
        let all = try await tminus(scratch, "fire", "all")
        #expect(all.status == 1)
        try #require(all.output.count == 3, "\(all)")
        #expect(all.output[0] == "good: delivered")
        #expect(all.output[1].hasPrefix("busy: failed, will be retried at 2"))
        #expect(all.output[1].hasSuffix(": exit status 75"))
        #expect(all.output[2] == "bad: dead: exit status 1")
        let json = try await tminus(scratch, "fire", "all", "--json")
        #expect(json.status == 1)
        let answer = try JSONDecoder().decode(Answer.self, from: Data(json.output.joined().utf8))
        #expect(answer.deliveries.map(\.outcome) == ["delivered", "retry", "dead"])
        #expect(answer.deliveries.map(\.reason) == [nil, "exit-status", "exit-status"])
        #expect(answer.deliveries.map(\.message) == [nil, "exit status 75", "exit status 1"])
        // The asker has seen what failed; what nobody has seen needs somebody.
        #expect(try await tminus(scratch, "status", "--exit-code") == (0, ["all well"], []))
        #expect(try await tminus(scratch, "fire", "inline", "--no-wait").status == 0)
        try await scratch.query("SELECT count(*) FROM delivery WHERE state = 'dead'", yields: ["1"])
        #expect(try await tminus(scratch, "status", "--exit-code").status == 1)
        let sent = try await tminus(scratch, "fire", "late", "--no-wait")
        #expect(sent.status == 0 && sent.output.first?.hasPrefix("slow: sent as ") == true, "\(sent)")
        try await daemon.kill()
    }

    @Test("a dry run shows what each sink would get: message, body and header fields, secrets masked")
    func dryRun() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml",
            """
            sinks:
              chat:
                webhook: https://chat.example.com/hooks/canary-path
                message: "{{name}} is ready"
                body: '{"text": "{{message}}", "token": "canary-body"}'
                headers: { X-Key: canary-header }
            timers:
              tea:
                duration: 1h
                start: manual
                on-expiry: [chat, stdout, { shell: ./ring.sh, message: "{{name}} rings" }]
            """)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let dry = try await tminus(scratch, "fire", "tea", "--dry-run")
        #expect(dry.status == 0)
        try #require(dry.output.count == 5, "\(dry)")
        #expect(
            dry.output[..<3] == [
                #"chat: {"text": "tea is ready", "token": "(secret)"}"#, "    Content-Type: application/json",
                "    X-Key: (secret)",
            ])
        #expect(dry.output[3] == "stdout: tea: Test: tea has ended")
        #expect(dry.output[4].hasPrefix(#"shell './ring.sh' (a.yaml:11): {"specversion":"1.0""#), "\(dry.output)")
        #expect(dry.output[4].contains(#""message":"tea rings""#))
        let json = try await tminus(scratch, "fire", "tea", "--dry-run", "--json").output.joined()
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let deliveries = try #require(object?["deliveries"] as? [[String: Any]])
        let events = deliveries.compactMap { $0["event"] as? [String: Any] }
        #expect(
            events.map { ($0["data"] as? [String: Any])?["message"] as? String } == [
                "tea is ready", "Test: tea has ended", "tea rings",
            ])
        #expect(deliveries[0]["body"] as? String == #"{"text": "tea is ready", "token": "(secret)"}"#)
        #expect(
            deliveries[0]["headers"] as? [String: String] == [
                "Content-Type": "application/json", "X-Key": "(secret)",
            ])
        #expect(!(dry.output.joined() + json).contains("canary-"))
        try await daemon.stop()
    }
}
