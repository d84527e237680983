import Foundation
import Glibc
import Testing

@Suite("tminus simulate")
struct SimulateTests {
    private func simulate(_ arguments: [String]) async throws -> (status: CInt, output: [String], errors: [String]) {
        let environment = Program.environment.merging(["TZ": "Europe/Berlin"]) { $1 }
        let program = try Program(Program.tminus, ["simulate"] + arguments, environment: environment)
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    @Test("shows what each sink would receive and what a downtime omits; delivers nothing and creates no state")
    func lines() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml",
            """
            sinks: { audit: { webhook-file: out.ndjson } }
            events:
              meeting: { at: 2026-12-01 09:00, remind: 1 hour, on-expiry: [stdout, audit] }
            timers:
              tick: { duration: 20m, repeat: immediately }
            """)
        let span = ["--config", scratch.config, "--from", "2026-12-01 07:30", "--to", "2026-12-01T09:00"]
        let result = try await simulate(span + ["--down", "2026-12-01 08:15/2026-12-01 08:55"])
        #expect(result.status == 0)
        #expect(
            result.errors == [
                "tminus: --from: Tue 1 December 2026, 07:30 Europe/Berlin",
                "tminus: --to: Tue 1 December 2026, 09:00 Europe/Berlin",
                "tminus: --down: Tue 1 December 2026, 08:15 Europe/Berlin",
                "tminus: --down: Tue 1 December 2026, 08:55 Europe/Berlin",
            ])
        #expect(
            result.output == [
                "2026-12-01T07:50:00.000+01:00  tick     expiry         stdout  tick has ended",
                "2026-12-01T08:00:00.000+01:00  meeting  1 hour before  stdout  Upcoming event: meeting in 1 hour",
                "2026-12-01T08:10:00.000+01:00  tick     expiry         stdout  tick has ended",
                "2026-12-01T08:55:00.000+01:00  tick     expiry         -       not sent, not-caught-up: 2 times, the last due 2026-12-01T08:50:00.000+01:00",
                "2026-12-01T09:00:00.000+01:00  meeting  expiry         stdout  meeting is due",
                "2026-12-01T09:00:00.000+01:00  meeting  expiry         audit   meeting is due",
            ])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.config) == ["a.yaml"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.state) == [])

        let json = try await simulate(span + ["--json"])
        let last = try #require(json.output.last)
        let object = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any]
        #expect(object?["sink"] as? String == "audit")
        let sent = try JSONSerialization.data(withJSONObject: try #require(object?["event"]))
        #expect(try Event(String(decoding: sent, as: UTF8.self)).type == "tminus.expiry")
    }

    @Test(
        "messages, bodies and header fields are shown as each sink would send them, secrets masked, sinks by their label"
    )
    func templates() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml",
            """
            sinks:
              chat:
                webhook: https://chat.example.com/hooks/canary-path
                message: "{{name}} now"
                body: "{\\n\\"text\\": \\"{{message}}\\", \\"token\\": \\"canary-body\\"}"
                headers: { X-Run: { env: NOT_SET } }
            events:
              meeting:
                at: 2026-12-01 09:00
                on-expiry: [chat, { shell: ./ring.sh --loud, message: "{{name}} rings" }, { shell: ./log.sh }]
            """)
        let span = ["--config", scratch.config, "--from", "2026-12-01 08:00", "--to", "2026-12-01T09:00"]
        let result = try await simulate(span)
        #expect(result.status == 0)
        #expect(
            result.output == [
                "2026-12-01T09:00:00.000+01:00  meeting  expiry  chat                           meeting now",
                "    Content-Type: application/json", "    X-Run: (secret)", "    {",
                #"    "text": "meeting now", "token": "(secret)"}"#,
                "2026-12-01T09:00:00.000+01:00  meeting  expiry  shell './ring.sh' (a.yaml:10)  meeting rings",
                "2026-12-01T09:00:00.000+01:00  meeting  expiry  shell './log.sh' (a.yaml:10)   meeting is due",
            ])
        let json = try await simulate(span + ["--json"])
        let objects = try json.output.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(
            objects.map { $0["sink-title"] as? String } == [
                "chat", "shell './ring.sh' (a.yaml:10)", "shell './log.sh' (a.yaml:10)",
            ])
        #expect(
            objects.map { (($0["event"] as? [String: Any])?["data"] as? [String: Any])?["message"] as? String } == [
                "meeting now", "meeting rings", "meeting is due",
            ])
        #expect(
            objects.map { $0["body"] as? String } == [
                "{\n\"text\": \"meeting now\", \"token\": \"(secret)\"}", nil, nil,
            ])
        #expect(!(result.output + json.output).joined().contains("canary-"))
    }

    @Test("with --speed, each line is printed when it is due")
    func speed() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tick: { duration: 1m, repeat: immediately } }\n")
        let begun = ContinuousClock.now
        let program = try Program(
            Program.tminus,
            [
                "simulate", "--config", scratch.config, "--from", "2026-12-01", "--to", "2026-12-01 00:03", "--speed",
                "60x",
            ])
        let lines = try await program.output.lines(3, "three lines")
        #expect(try await program.end() == 0)
        // Never early. Lateness on a busy machine is allowed.
        #expect(lines[2].arrival - begun >= .seconds(3))
    }

    @Test("an error in a file is status 65 without output; wrong options are 64, a missing directory 74")
    func errors() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers:\n  t: { duratoin: 4m }\n")
        let span = ["--from", "2026-12-01", "--to", "2026-12-02"]
        let result = try await simulate(span + ["--config", scratch.config])
        #expect(result.status == 65)
        #expect(result.output == [])
        #expect(
            result.errors.contains { $0.hasPrefix("\(scratch.config)/a.yaml:2:8: error: unknown key 'duratoin'") })
        try scratch.remove("a.yaml")
        for wrong in [
            ["--from", "2026-12-02", "--to", "2026-12-01"], ["--from", "gestern", "--to", "2026-12-01"],
            span + ["--down", "2026-12-01"], span + ["--down", "2026-12-02/2026-12-01"], span + ["--speed", "0"],
            span + ["--speed=1e-300x"],
        ] {
            #expect(try await simulate(wrong + ["--config", scratch.config]).status == 64, "\(wrong)")
        }
        #expect(try await simulate(span + ["--config", "\(scratch.path)/nowhere"]).status == 74)
    }
}
