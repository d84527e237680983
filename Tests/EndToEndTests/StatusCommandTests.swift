import Foundation
import Testing

/// What fails is visible in `status`, `list`, `show`, `history` and `why`, and `status --exit-code` is for probes.
@Suite("Failures and notes are visible")
struct StatusCommandTests {
    private typealias Result = (status: CInt, output: [String], errors: [String])

    private func tminus(_ scratch: Scratch, _ arguments: String...) async throws -> Result {
        let program = try Program(Program.tminus, arguments + ["--state", scratch.state])
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    private func object(_ result: Result) throws -> [String: Any] {
        let data = Data(result.output.joined().utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("a dead delivery is in status, list, show and history, fails a probe, and goes away when it is discarded")
    func deadDelivery() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        #expect(try await tminus(scratch, "status", "--exit-code") == (0, ["all well"], []))
        let sinks = "sinks: { hook: { shell: exit 3 }, busy: { shell: exit 75, retry: { first: 1h, max: 1h } } }\n"
        try scratch.save(
            "b.yaml",
            sinks
                + "timers: { backup: { duration: 1ms, on-expiry: [hook] }, again: { duration: 1ms, on-expiry: [busy] } }\n"
        )
        let states = "SELECT sink, state, tries FROM delivery ORDER BY sink"
        try await scratch.query(states, yields: ["busy|pending|1", "hook|dead|1"])

        let status = try await tminus(scratch, "status")
        #expect(status.status == 0)
        func row(_ start: String) -> String? { status.output.first { $0.hasPrefix(start) } }
        #expect(row("deliveries ")?.contains("0 waiting, 0 running, 1 retrying, next attempt 20") == true, "\(status)")
        #expect(row("deliveries ")?.contains(", 1 dead, oldest 20") == true, "\(status)")
        #expect(row("  sink hook: 1 dead, oldest ") != nil, "\(status)")
        #expect(
            row("  backup: 1 dead, oldest ")?.hasSuffix("last outcome failed, because exit status 3") == true)

        let probe = try await tminus(scratch, "status", "--exit-code")
        #expect(probe.status == 1 && probe.output.count == 1, "\(probe)")
        #expect(probe.output[0].hasPrefix("hook: 1 dead; see "), "\(probe)")
        let json = try object(try await tminus(scratch, "status", "--json"))
        let definitions = try #require(json["definitions"] as? [[String: Any]])
        #expect(definitions.compactMap { $0["id"] as? String } == ["again", "backup", "tea"])
        let last = try #require(definitions[1]["last-outcome"] as? [String: Any])
        #expect(last["end"] as? String == "failed")
        #expect(last["reason"] as? String == "exit-status" && last["message"] as? String == "exit status 3")

        let list = try await tminus(scratch, "list").output
        #expect(
            list.contains { $0.hasPrefix("! ") && $0.contains(" backup  ") && $0.contains("failing") }, "\(list)")
        #expect(list.contains("! backup: 1 dead; see 'tminus deliveries --id backup'"), "\(list)")
        let history = try await tminus(scratch, "history").output
        #expect(history.contains { $0.hasSuffix("  backup expiry: failed, because exit status 3") }, "\(history)")
        let shown = try object(try await tminus(scratch, "show", "backup", "--json"))
        #expect((shown["undelivered"] as? [String: Any])?["dead"] as? Int == 1)
        #expect((shown["schedule"] as? [String: Any])?["rule"] as? String == "0.001 seconds")
        #expect((shown["actions"] as? [String: Any])?["on-expiry"] as? [String] == ["hook"])
        let delivery = try #require((shown["deliveries"] as? [[String: Any]])?.first)
        #expect(delivery["state"] as? String == "dead" && delivery["reason"] as? String == "exit-status")

        #expect(try await tminus(scratch, "deliveries", "discard", "--sink", "hook").status == 0)
        #expect(try await tminus(scratch, "status", "--exit-code") == (0, ["all well"], []))
        try await daemon.stop()
    }

    @Test("all problems of a broken file are in status, a line of it in list, and a probe fails")
    func brokenFile() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try scratch.save("a.yaml", "timers: { tea: { duratoin: 1h }, nap: { duration: soon } }\n")
        try await daemon.errors.first("the reload") { $0.contains("the last good content of the file stays") }
        let status = try await tminus(scratch, "status")
        #expect(status.status == 65)
        let json = try object(try await tminus(scratch, "status", "--json"))
        let file = try #require((json["files"] as? [[String: Any]])?.first)
        #expect((file["place"] as? [String: Any])?["line"] as? Int == 1 && file["reason"] == nil)
        #expect((file["message"] as? String)?.contains("unknown key 'duratoin'") == true)
        let problems = status.output.filter { $0.hasPrefix("  stale: a.yaml:1:") }
        #expect(problems.count > 1 && problems[0].contains("unknown key 'duratoin'"), "\(status.output)")
        let probe = try await tminus(scratch, "status", "--exit-code")
        #expect(probe.status == 1 && probe.output.count == 1)
        #expect(
            probe.output[0].hasPrefix("a.yaml:1:") && probe.output[0].hasSuffix("its last good content stays in force"))
        #expect(try await tminus(scratch, "list").output.last == "! \(probe.output[0])")
        try await daemon.stop()
    }

    @Test("the note of a control is in show, history, why and their JSON, with who and when, over a restart too")
    func note() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\nstopwatches: { run: {} }\n")
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        #expect(try await tminus(scratch, "pause", "tea", "--note", "the water is cold").status == 0)
        #expect(try await tminus(scratch, "start", "run").status == 0)
        #expect(try await tminus(scratch, "lap", "run", "--note", "uphill").status == 0)
        try await first.kill()
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let user = try await Program("id", ["-un"]).lines().first ?? ""
        let words = "pause by \(user): the water is cold"
        let shown = try await tminus(scratch, "show", "tea").output
        #expect(shown.contains { $0.hasPrefix("control ") && $0.contains("\(words) at 20") }, "\(shown)")
        let history = try await tminus(scratch, "history", "tea").output
        #expect(history.count == 1 && history[0].hasSuffix("  \(words)"), "\(history)")
        let why = try await tminus(scratch, "why", "tea")
        #expect(why.status == 0 && why.output.last?.hasSuffix(words) == true, "\(why)")
        let all = try await tminus(scratch, "history").output
        #expect(all.count == 3 && all[0].hasSuffix("  run lap by \(user): uphill"), "\(all)")
        let json = try object(try await tminus(scratch, "show", "tea", "--json"))
        let control = try #require((json["controls"] as? [[String: Any]])?.first)
        #expect(control["note"] as? String == "the water is cold" && control["by"] as? String == user)
        #expect((control["at"] as? String)?.hasPrefix("20") == true)
        let because = try await tminus(scratch, "why", "tea", "--json").output.joined()
        #expect(because.contains("the water is cold") && because.contains("control:pause"))
        try await daemon.stop()
    }

    @Test("why tells of an occurrence that was past when it was defined, and of one that was edited away")
    func edited() async throws {
        let scratch = try Scratch()
        let zone = "timezone: UTC"
        try scratch.save(
            "a.yaml",
            "events: { old: { at: 2001-02-03 04:05, \(zone), remind: 1h }, e: { at: 2061-12-01 09:00, \(zone) } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let old = try await tminus(scratch, "why", "old")
        #expect(old.status == 0 && old.output.count == 2, "\(old)")
        #expect(old.output.allSatisfy { $0.hasSuffix("skipped, because its instant was past when it was defined") })
        try scratch.save("a.yaml", "events: { e: { at: 2062-12-01 09:00, \(zone) } }\n")
        #expect(try await tminus(scratch, "reload", "--wait").status == 0)
        let gone = try await tminus(scratch, "why", "e", "2061-12-01 09:00")
        #expect(gone.status == 0, "\(gone)")
        let reason = "skipped, because its occurrence was edited away (\(scratch.config)/a.yaml, generation 2)"
        #expect(gone.output.first?.hasSuffix(reason) == true, "\(gone)")
        try await daemon.stop()
    }
}

extension Program {
    /// The lines of standard output of a program that ends by itself.
    fileprivate func lines() async throws -> [String] {
        try await end()
        return output.texts
    }
}
