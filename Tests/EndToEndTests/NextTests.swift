import Foundation
import Testing

/// `tminus next` as a process.
@Suite("Next")
struct NextTests {
    /// The families of schedule vectors and their sizes.
    static let families: [(name: String, count: Int)] = [
        ("cron_basic", 620), ("cron_debian_rules", 77), ("cron_dst", 285), ("cron_public", 53), ("cron_invalid", 161),
        ("cron_never", 12), ("rrule_basic", 495), ("rrule_hard", 86), ("rrule_dst", 180), ("rrule_invalid", 38),
        ("duration_valid", 169), ("duration_invalid", 47), ("reminder_before", 237), ("local_resolution", 311),
        ("local_invalid", 14),
    ]

    /// The expected answer to a vector.
    private enum Expected: Equatable {
        case next([String])
        case seconds(Double)
        case error
    }

    @Test("--batch answers every vector", arguments: families)
    func vectors(family: (name: String, count: Int)) async throws {
        let folder = family.name.hasPrefix("duration") ? "TminusCoreTests" : "TminusSystemTests"
        let path = "\(Program.repository)/Tests/\(folder)/Vectors/\(family.name).jsonl"
        let vectors = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A).map {
            try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
        }
        #expect(vectors.count == family.count)
        let questions = try vectors.enumerated().map { index, vector in
            try JSONSerialization.data(withJSONObject: Self.question(vector, id: index)) + Data([0x0A])
        }
        let scratch = try Scratch()
        try Data(questions.joined()).write(to: URL(fileURLWithPath: "\(scratch.path)/questions"))
        let program = try Program(
            "sh", ["-c", "exec \"$0\" next --batch <\"$1\"", Program.tminus, "\(scratch.path)/questions"])
        #expect(try await program.end() == 0)
        #expect(program.errors.texts == [])
        let answers = program.output.texts
        #expect(answers.count == vectors.count)
        var right = 0
        for (index, (vector, text)) in zip(vectors, answers).enumerated() {
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect(answer["id"] as? Int == index)
            let found = try Self.found(answer)
            // A rule that never occurs may give an error or no occurrences.
            let isRight = vector["expect"] as? String == "never" && found == .next([]) || found == Self.expected(vector)
            #expect(isRight, "\(vector): \(text)")
            if isRight { right += 1 }
        }
        print("vectors \(family.name): \(right) of \(vectors.count)")
    }

    private static func question(_ vector: [String: Any], id: Int) -> [String: Any] {
        var question: [String: Any] = ["id": id]
        let names = [
            "expr": "cron", "rrule": "rrule", "dtstart": "start", "local": "at", "event": "at", "tz": "tz",
            "from": "from", "before": "before", "duration": "duration", "n": "n",
        ]
        for (name, key) in names where vector[name] != nil { question[key] = vector[name] }
        if let next = vector["next"] as? [String] { question["n"] = next.count }
        return question
    }

    private static func expected(_ vector: [String: Any]) -> Expected {
        if let next = vector["next"] as? [String] { return .next(next) }
        if let list = vector["occurrences"] as? [[String: Any]] {
            return .next(list.compactMap { $0["utc"] as? String })
        }
        if let instant = (vector["utc_compatible"] ?? vector["expected_utc"]) as? String { return .next([instant]) }
        if let seconds = vector["seconds"] as? Double { return .seconds(seconds) }
        return .error
    }

    private static func found(_ answer: [String: Any]) throws -> Expected {
        if let next = answer["next"] as? [String] { return .next(next) }
        if let seconds = answer["seconds"] as? Double { return .seconds(seconds) }
        _ = try #require(answer["error"] as? String)
        return .error
    }

    @Test("a caller that waits for each answer is served at once, and the last line needs no newline")
    func conversation() async throws {
        let scratch = try Scratch()
        let script = """
            { echo '{"id":1,"duration":"1s"}'
              # The answer is a line in a file, which tells a shell nothing.
              until [ -s "$1" ]; do sleep 0.02; done
              printf '{"id":2,"duration":"2s"}'
            } | "$0" next --batch | tee "$1"
            """
        let program = try Program("sh", ["-c", script, Program.tminus, "\(scratch.path)/answers"])
        try await program.end()
        #expect(program.output.texts == [#"{"id":1,"seconds":1}"#, #"{"id":2,"seconds":2}"#])
    }

    private func next(_ arguments: String...) async throws -> (status: CInt, output: [String], errors: [String]) {
        var environment = Program.environment
        environment["TZ"] = "Europe/Berlin"
        let program = try Program(Program.tminus, ["next"] + arguments, environment: environment)
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    @Test("a rule on the command line: its normal form, local time, UTC, words")
    func rule() async throws {
        let result = try await next("--cron", "30 9 * * MON-FRI", "--from", "2026-11-27 12:00", "-n", "1")
        #expect(
            result == (
                0,
                [
                    "  cron: 30 9 * * 1-5, Europe/Berlin",
                    "  Mon 2026-11-30 09:30:00 +01:00  2026-11-30T08:30:00Z  in 3 days",
                ], ["tminus: --from: Fri 27 November 2026, 12:00 Europe/Berlin"]
            ))
    }

    @Test("an invalid rule: status 65 and a caret under the error")
    func wrongRule() async throws {
        let result = try await next("--cron", "0 25 * * *")
        #expect(result.status == 65)
        #expect(result.output == [])
        #expect(
            result.errors == [
                "command line:1:10: error: 'cron': 25 is out of range for the hour field: 0–23",
                "--cron 0 25 * * *", "         ^~",
            ])
    }

    @Test("an id, a file and a directory; an unknown id: status 65 and the nearest name")
    func names() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "events:\n  launch: { at: 2099-01-01 09:00 }\n  other: { at: 2099-01-02 }\n")
        for arguments in [["launch", "--config", scratch.config], ["\(scratch.config)/a.yaml"], [scratch.config]] {
            let program = try Program(Program.tminus, ["next"] + arguments)
            #expect(try await program.end() == 0)
            #expect(program.output.texts.first == "launch (\(scratch.config)/a.yaml:2)")
            #expect(program.output.texts.contains("other (\(scratch.config)/a.yaml:3)") == (arguments.count == 1))
        }
        let unknown = try await next("lauch", "--config", scratch.config)
        #expect(unknown.status == 65)
        #expect(
            unknown.errors == ["tminus: there is no definition 'lauch' in \(scratch.config), did you mean 'launch'?"])
    }

    @Test("an error in another definition does not fail a named id, but fails a named directory")
    func broken() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "events: { launch: { at: 2099-01-01 09:00 } }\n")
        try scratch.save("b.yaml", "events: { other: { cron: x } }\n")
        let one = try await next("launch", "--config", scratch.config)
        #expect(one.status == 0)
        #expect(one.errors.first?.hasPrefix("\(scratch.config)/b.yaml:1:26: error: 'cron'") == true)
        #expect(try await next(scratch.config).status == 65)
        #expect(try await next("--config", scratch.config).status == 65)
    }

    @Test("an invalid machine time zone causes a warning in every command")
    func wrongZone() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 4m } }\n")
        var environment = Program.environment
        environment["TZ"] = "Europe/Brelin"
        for arguments in [["next", "--cron", "@daily"], ["check", scratch.config]] {
            let program = try Program(Program.tminus, arguments, environment: environment)
            #expect(try await program.end() == 0)
            let warning = "tminus: warning: using UTC as this machine's time zone: "
            #expect(program.errors.texts.count == 1)
            #expect(program.errors.texts.first?.hasPrefix(warning) == true)
        }
    }

    @Test("wrong usage is status 64")
    func usage() async throws {
        for arguments in [
            ["--cron", "@daily", "--at", "2026-01-01"], ["--tz", "UTC"], ["--batch", "launch"], ["-n", "0", "x"],
            ["launch", "--cron", "@daily"],
        ] {
            #expect(try await Program(Program.tminus, ["next"] + arguments).end() == 64)
        }
    }

    @Test("a written time that the clock skips is said in the answer, and so is one that is left out")
    func skippedTime() async throws {
        let zone = ["--tz", "America/New_York"]
        let moved = try await next("--at", "2027-03-14 02:30", zone[0], zone[1], "--json")
        let text = "02:30 does not exist this day, the clock skips 02:00 to 03:00: "
        let change =
            #""daylight-saving":{"effect":"moved","clock":"2027-03-14T02:30:00","text":"\#(text)03:30 instead"}"#
        #expect(moved.status == 0)
        #expect(moved.output.contains { $0.contains(change) }, "\(moved.output)")
        let list = ["--at", "2027-03-14 02:30", "--at", "2027-03-15 02:30", "--dst", "skip"]
        let skipped = try Program(Program.tminus, ["next", "--json"] + list + zone)
        #expect(try await skipped.end() == 0)
        let left = #""left-out":[{"effect":"left-out","clock":"2027-03-14T02:30:00","text":"\#(text)left out"}]"#
        #expect(skipped.output.texts.contains { $0.contains(left) }, "\(skipped.output.texts)")
    }

    @Test("next, check and simulate agree that a reminder after a passed time is to come")
    func comingReminder() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml", "events: { invoice: { at: 2026-03-01T09:00Z, remind: { after: 150 years } } }\n")
        let place = ["--config", scratch.config]
        let result = try await next("invoice", place[0], place[1])
        #expect(result.errors == [])
        #expect(!result.output.contains { $0.contains("nothing after") })
        #expect(result.output.contains { $0.hasSuffix("  past") }, "\(result.output)")
        #expect(result.output.last?.hasSuffix("150 years after") == true, "\(result.output)")
        let check = try Program(Program.tminus, ["check", scratch.config])
        #expect(try await check.end() == 0)
        #expect(check.errors.texts == [])
        #expect(check.output.texts == ["1 definition in 1 file, 0 errors, 0 warnings"])
        let simulation = try Program(
            Program.tminus, ["simulate", "--from", "2026-04-01", "--to", "2177-01-01"] + place)
        #expect(try await simulation.end() == 0)
        #expect(simulation.output.texts.count { $0.contains("150 years after") } == 1, "\(simulation.output.texts)")
        #expect(simulation.errors.texts.allSatisfy { $0.hasPrefix("tminus: --") })
    }
}
