import Foundation
import Glibc
import Testing

/// What the daemon writes to standard error, by `--log-format` and `--log-time`.
@Suite("Format of the log")
struct LogFormatTests {
    private struct Line: Decodable {
        var time: String
        var level: String
        var message: String
        var file: String?
        var line: Int?
        var column: Int?
    }

    private static let wrong = """
        timers:
          tea: { duratoin: 1h, duration: 1h }
        events:
          soon: { at: 1999-01-01 }

        """

    private func lines(_ daemon: RunningDaemon) throws -> [Line] {
        try daemon.errors.texts.map { text in
            try #require(try? JSONDecoder().decode(Line.self, from: Data(text.utf8)), "not JSON: \(text)")
        }
    }

    @Test("with --log-format json, file problems are JSON lines with their place, like log events")
    func json() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.wrong)
        try scratch.save("b.yaml", "timers: { nap: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch, ["--log-format", "json"])
        try await daemon.ready()
        #expect(try await daemon.stop() == 0)
        let all = try lines(daemon)
        #expect(all.contains { $0.message == "definitions in force" })
        let problem = try #require(all.first { $0.file != nil })
        #expect(problem.level == "error" && problem.message.hasPrefix("unknown key 'duratoin'"), "\(problem)")
        #expect(problem.file == "\(scratch.config)/a.yaml" && problem.line == 2 && problem.column == 10, "\(problem)")
    }

    @Test("with --log-format json, the reason for a refused start is JSON too")
    func refusedStart() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.wrong)
        let daemon = try RunningDaemon(in: scratch, ["--log-format", "json", "--strict"])
        #expect(try await daemon.program.end() == 65)
        let last = try #require(try lines(daemon).last)
        #expect(last.level == "critical" && last.message.hasPrefix("not started, because of --strict"), "\(last)")
    }

    @Test("in the journal, lines begin with their priority and have no time; redirected elsewhere they do not")
    func journal() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.wrong)
        try scratch.save("b.yaml", "timers: { nap: { duration: 1ms, on-expiry: [{ stdout: {} }] } }\n")
        for isConnected in [true, false] {
            let stream = isConnected ? "$(stat -L -c %d:%i /dev/stderr)" : "1:1"
            let command =
                "JOURNAL_STREAM=\(stream) exec '\(Program.tminus)' run --config '\(scratch.config)' --state '\(scratch.state)'"
            let daemon = try Program("/bin/sh", ["-c", command])
            try await daemon.errors.first("the definitions") { $0.contains("definitions in force") }
            if isConnected {
                let delivered = try await daemon.output.first("the delivery") { $0.hasSuffix("nap: nap has ended") }
                #expect(delivered.text.hasPrefix("2"), "a delivery keeps its time: \(delivered.text)")
            }
            daemon.send(SIGTERM)
            #expect(try await daemon.end() == 0)
            let lines = daemon.errors.texts
            #expect(lines.contains { $0.hasPrefix("<5>notice: tminus runs config=") } == isConnected, "\(lines)")
            #expect(
                lines.contains { $0.hasPrefix("<3>\(scratch.config)/a.yaml:2:10: error: ") } == isConnected, "\(lines)")
            #expect(lines.allSatisfy { $0.wholeMatch(of: /<[3-7]>.*/) != nil } == isConnected, "\(lines)")
        }
    }

    @Test(
        "log lines and deliveries to standard output begin with the time of writing, in the machine's zone or in UTC",
        arguments: [("local", "+05:00"), ("utc", "Z")])
    func time(zone: String, suffix: String) async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml",
            """
            defaults: { timezone: America/New_York }
            events: { launch: { at: 2100-01-01 09:00, remind: 1 day } }
            sinks: { here: { stdout: {}, time: \(zone) }, bare: { stdout: {}, time: none } }
            timers: { tea: { duration: 1ms, on-expiry: [here, bare] } }
            """)
        var environment = Program.environment
        environment["TZ"] = "XXX-5"
        let daemon = try RunningDaemon(in: scratch, ["--log-time", zone], environment: environment)
        try await daemon.ready()
        let delivered = try await daemon.output.first("tea") { $0.hasSuffix("\(suffix) tea: tea has ended") }
        _ = try await daemon.output.first("tea without a time") { $0 == "tea: tea has ended" }
        let logged = try await daemon.errors.first("the start") { $0.contains(" notice: tminus runs ") }
        for line in [delivered.text, logged.text] {
            let time = try #require(line.split(separator: " ").first)
            #expect(time.hasSuffix(suffix) && time.count == 23 + suffix.count, "milliseconds: \(line)")
        }
        // A reminder is written a day before it is due, so its line names both.
        let deadline = ContinuousClock.now + Waiting.limit
        var status: CInt = 69
        // The control socket may open later than the first definitions are in force.
        while status == 69, ContinuousClock.now < deadline {
            let fire = try Program(
                Program.tminus, ["fire", "launch", "--reminder", "1 day", "--state", scratch.state])
            status = try await fire.end()
        }
        #expect(status == 0)
        let reminder = try await daemon.output.first("the reminder") { $0.contains(" launch: ") }
        let hasDue = reminder.text.contains(/, due \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]:00$/)
        #expect(hasDue, "\(reminder.text)")
        try await daemon.stop()
    }
}
