import Foundation
import Testing

/// Controls of timers and stopwatches by command, across restarts of the daemon.
@Suite("Controls of a daemon")
struct ControlTests {
    /// The members of an item's JSON that these tests check.
    private struct Shown: Decodable, Equatable {
        struct Amount: Decodable, Equatable {
            var seconds: Double
        }

        struct Mute: Decodable, Equatable {
            var until: String
            var note: String?
        }

        struct Lap: Decodable, Equatable {
            var number: Int
            var length: Amount
            var total: Amount
            var fastest: Bool
            var slowest: Bool
        }

        var id: String
        var state: String
        var due: String?
        var description: String?
        var remaining: Amount?
        var elapsed: Amount?
        var clockBehind: Amount?
        var laps: [Lap]?
        var muted: Mute?

        enum CodingKeys: String, CodingKey {
            case id, state, due, description, remaining, elapsed, laps, muted
            case clockBehind = "clock-behind"
        }
    }

    /// Runs a command, expects status 0 and returns its output.
    private func tminus(_ scratch: Scratch, _ arguments: String...) async throws -> [String] {
        let program = try Program(Program.tminus, arguments + ["--state", scratch.state])
        #expect(try await program.end() == 0, "\(arguments): \(program.errors.texts)")
        return program.output.texts
    }

    private func shown(_ scratch: Scratch, _ id: String) async throws -> Shown {
        let text = try await tminus(scratch, "show", id, "--json").joined()
        return try JSONDecoder().decode(Shown.self, from: Data(text.utf8))
    }

    /// Ends a daemon with SIGKILL, as the kernel does when memory runs out, and starts another.
    private func killed(_ daemon: RunningDaemon, _ scratch: Scratch) async throws -> RunningDaemon {
        try await daemon.kill()
        let next = try RunningDaemon(in: scratch)
        try await next.ready()
        return next
    }

    @Test("a paused timer keeps its remaining time over an unrelated edit and a restart")
    func paused() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 10m } }\n")
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        _ = try await tminus(scratch, "pause", "tea")
        let before = try await shown(scratch, "tea")
        #expect(before.state == "paused")
        try scratch.save("a.yaml", "timers: { tea: { duration: 10m, description: Green } }\n")
        _ = try await tminus(scratch, "reload", "--wait")
        var expected = before
        expected.description = "Green"
        #expect(try await shown(scratch, "tea") == expected)
        #expect(try await first.stop() == 0)
        let second = try RunningDaemon(in: scratch)
        try await second.ready()
        #expect(try await shown(scratch, "tea") == expected)
        try await second.stop()
    }

    @Test("started and ad-hoc timers keep their deadlines after kill -9")
    func deadlines() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 10m, start: manual } }\n")
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        #expect(try await shown(scratch, "tea").due == nil)
        _ = try await tminus(scratch, "start", "tea")
        _ = try await tminus(scratch, "timer", "25m", "--name", "focus")
        let due = try await (shown(scratch, "tea").due, shown(scratch, "focus").due)
        #expect(due.0 != nil && due.1 != nil)
        let second = try await killed(first, scratch)
        #expect(try await shown(scratch, "tea").due == due.0)
        #expect(try await shown(scratch, "focus").due == due.1)
        let listed = try await tminus(scratch, "list", "--json").joined()
        let items = try JSONDecoder().decode([Shown].self, from: Data(listed.utf8))
        #expect(items.map(\.id) == ["tea", "focus"])
        try await second.stop()
    }

    @Test("a stopwatch keeps its laps and, to the nanosecond, its stopped time after kill -9")
    func stopwatch() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "stopwatches: { run: { start: manual } }\n")
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        _ = try await tminus(scratch, "start", "run")
        _ = try await tminus(scratch, "lap", "run")
        let running = try await shown(scratch, "run")
        let second = try await killed(first, scratch)
        // It kept running without a daemon.
        let later = try await shown(scratch, "run")
        #expect(later.state == "running")
        #expect(try #require(later.elapsed).seconds > (try #require(running.elapsed).seconds))
        _ = try await tminus(scratch, "lap", "run")
        _ = try await tminus(scratch, "stop", "run")
        let stopped = try await shown(scratch, "run")
        let laps = try #require(stopped.laps)
        #expect(laps.map(\.number) == [2, 1])
        #expect(laps.last?.total == running.laps?.first?.total)
        #expect(laps[0].fastest != laps[1].fastest && laps[0].slowest != laps[1].slowest)
        let third = try await killed(second, scratch)
        #expect(try await shown(scratch, "run") == stopped)
        try await third.stop()
    }

    @Test("list --json joins the pages of the daemon into one array")
    func pages() async throws {
        let scratch = try Scratch()
        let timers = (0...10_000).map { "\"t\($0)\":{\"duration\":\"1m\",\"start\":\"manual\"}" }
        try scratch.save("a.json", "{\"timers\":{\(timers.joined(separator: ","))}}")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let listed = try await tminus(scratch, "list", "--json").joined()
        let items = try JSONDecoder().decode([Shown].self, from: Data(listed.utf8))
        #expect(items.count == 10_001)
        #expect(Set(items.map(\.id)).count == 10_001)
        try await daemon.stop()
    }

    @Test("list and show have the documented members, and no changing times for idle items")
    func members() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml",
            """
            timers: { tea: { name: Tea, duration: 10m, start: manual } }
            stopwatches: { run: { name: Run, start: manual } }

            """)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let promised: Set = [
            "id", "kind", "name", "state", "due", "remaining", "elapsed", "fraction", "laps", "next-reminder", "color",
            "file", "line",
        ]
        let listed = try await tminus(scratch, "list", "--json").joined()
        let items = try #require(try JSONSerialization.jsonObject(with: Data(listed.utf8)) as? [[String: Any]])
        #expect(items.count == 2)
        for item in items { #expect(promised.isSubset(of: Set(item.keys))) }
        let one = try await tminus(scratch, "show", "tea", "--json").joined()
        let item = try #require(try JSONSerialization.jsonObject(with: Data(one.utf8)) as? [String: Any])
        #expect(promised.isSubset(of: Set(item.keys)))
        // The dot is ASCII if the locale of the tests is.
        let rows = try await tminus(scratch, "list").map { $0.replacing("○", with: "o") }
        #expect(rows == ["Upcoming (2)", "  o run  Run  idle", "  o tea  Tea  idle  10 min"])
        let lines = try await tminus(scratch, "show", "tea")
        #expect(lines.first == "Tea  timer, tea")
        // The clock in between has its own golden files.
        #expect(
            lines.suffix(4).filter { !$0.hasPrefix("time zone") } == [
                "state      idle", "total      10:00", "file       \(scratch.config)/a.yaml:1",
            ])
        try await daemon.stop()
    }

    @Test("mute and unmute apply to all definitions and survive kill -9")
    func muted() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 10m }, nap: { duration: 20m } }\n")
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        #expect(try await tminus(scratch, "mute", "--for", "1h", "--note", "quiet") == ["muted: 2"])
        let before = try await shown(scratch, "nap").muted
        #expect(before?.note == "quiet")
        _ = try await tminus(scratch, "unmute", "tea")
        let second = try await killed(first, scratch)
        #expect(try await shown(scratch, "nap").muted == before)
        #expect(try await shown(scratch, "tea").muted == nil)
        #expect(try await tminus(scratch, "unmute") == ["unmuted: 1"])
        #expect(try await shown(scratch, "nap").muted == nil)
        try await second.stop()
    }

    @Test("a mute of all covers later additions, from files and ad hoc, survives kill -9, and ends for all")
    func mutedLater() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 10m } }\n")
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        #expect(try await tminus(scratch, "mute", "--for", "1h", "--note", "quiet") == ["muted: 1"])
        let mute = try await shown(scratch, "tea").muted
        try scratch.save("b.yaml", "timers: { nap: { duration: 20m } }\n")
        _ = try await tminus(scratch, "reload", "--wait")
        let second = try await killed(first, scratch)
        _ = try await tminus(scratch, "timer", "25m", "--name", "focus")
        #expect(try await shown(scratch, "nap").muted == mute)
        #expect(try await shown(scratch, "focus").muted == mute)
        let status = try await tminus(scratch, "status")
        let line = try #require(status.first { $0.hasPrefix("muted ") })
        #expect(line.contains("everything, until ") && line.hasSuffix(": quiet"))
        #expect(try await tminus(scratch, "unmute") == ["unmuted: 3"])
        #expect(try await shown(scratch, "focus").muted == nil)
        _ = try await tminus(scratch, "timer", "25m", "--name", "later")
        #expect(try await shown(scratch, "later").muted == nil)
        #expect(try await tminus(scratch, "status").contains { $0.hasPrefix("muted ") } == false)
        try await second.stop()
    }

    @Test("fire sends the action marked as a test and leaves the timer unchanged")
    func fire() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml",
            "timers: { tea: { duration: 10m, start: manual, on-expiry: [{ webhook-file: sent.ndjson }] } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let before = try await shown(scratch, "tea")
        let told = try await tminus(scratch, "fire", "tea", "--dry-run")
        #expect(told.count == 1 && told[0].contains(#""test":true"#))
        let sent = try await tminus(scratch, "fire", "tea", "--sink", "webhook-file", "--no-wait")
        let line = try #require(try await scratch.lines(1, of: "sent.ndjson").first)
        #expect(line.contains(#""test":true"#) && line.contains(#""type":"tminus.expiry""#))
        let id = try #require(sent.first?.split(separator: " ").last)
        // The answer shows the first digits of the id.
        #expect(line.contains(#""id":"\#(id)"#))
        #expect(scratch.lines("sent.ndjson").count == 1)
        #expect(try await shown(scratch, "tea") == before)
        try await daemon.stop()
    }

    @Test("an elapsed time is never negative after the clock was set back, and list and show say so")
    func clockSetBack() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml", "timers: { bread: { duration: 2h, clock: wall } }\nstopwatches: { run: { start: auto } }\n")
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        #expect(try await shown(scratch, "bread").clockBehind == nil)
        try await first.stop()
        // Stored instants an hour ahead are what a clock that was set back by an hour makes of them.
        let hour = "3600000000000"
        let moved = try Program(
            "sqlite3",
            [
                "\(scratch.state)/tminus.sqlite",
                "UPDATE schedule SET start = start + \(hour), deadline = deadline + \(hour), \"cursor\" = \"cursor\" + \(hour)",
            ])
        #expect(try await moved.end() == 0)
        let second = try RunningDaemon(in: scratch)
        try await second.ready()
        for id in ["bread", "run"] {
            let item = try await shown(scratch, id)
            #expect(item.elapsed == Shown.Amount(seconds: 0))
            #expect((3_000...3_600).contains(item.clockBehind?.seconds ?? 0))
            let text = try await tminus(scratch, "show", id)
            #expect(text.contains { $0.contains("elapsed") && $0.contains("the clock was set back") }, "\(text)")
            #expect(!text.contains { $0.contains(" ago") }, "\(text)")
        }
        let list = try await tminus(scratch, "list")
        #expect(list.count { $0.contains("running, clock set back") } == 2, "\(list)")
        try await second.stop()
    }

    @Test(
        "after a small step back an event says until when it is silent, and after a correction it goes on from now",
        arguments: [(hours: 1, silent: true), (hours: 700, silent: false)])
    func clockCorrected(hours: Int, silent: Bool) async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "events: { chime: { every: 10m, start: 2026-01-01T00:00:00Z } }\n")
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        try await scratch.query("SELECT count(*) FROM schedule", yields: ["1"])
        try await first.stop()
        let moved = try Program(
            "sqlite3",
            [
                "\(scratch.state)/tminus.sqlite",
                #"UPDATE schedule SET "cursor" = "cursor" + \#(hours) * 3600000000000"#,
            ])
        #expect(try await moved.end() == 0)
        let second = try RunningDaemon(in: scratch)
        try await second.ready()
        let item = try await shown(scratch, "chime")
        let text = try await tminus(scratch, "show", "chime")
        #expect(text.contains { $0.contains("nothing fires before") } == silent, "\(text)")
        #expect((item.clockBehind != nil) == silent)
        #expect(((item.remaining?.seconds ?? 0) > 600) == silent)
        let warning = "the clock was far ahead before"
        if !silent { try await second.errors.first(warning) { $0.contains(warning) } }
        try await second.stop()
        #expect(second.errors.texts.contains { $0.contains(warning) } == !silent)
    }
}
