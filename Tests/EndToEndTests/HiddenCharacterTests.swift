import Foundation
import Testing
import TminusTestKit

/// Definitions, file names, notes, arguments and output of programs with characters that steer a terminal, hide or reorder
/// text.
@Suite("Hidden characters")
struct HiddenCharacterTests {
    /// Bidirectional controls, a line separator, a tag, escape sequences in 7 and 8 bits, a zero-width space, DEL, a private
    /// and an unassigned character, and a joiner between letters.
    private static let odd =
        "a\u{202E}b\u{2028}c\u{2066}d\u{E0041}e\u{1B}[31mf\u{9B}g\u{200B}h\u{7F}i\u{E000}j\u{378}k\u{200D}l"
    private static let file = "odd\u{202E}\u{2028}\u{1B}.json"

    private let scratch: Scratch
    private let environment: [String: String]

    init() throws {
        scratch = try Scratch()
        var environment = Program.environment
        environment["EDITOR"] = "true"
        environment["VISUAL"] = nil
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"] { environment[name] = scratch.path }
        self.environment = environment
    }

    /// Whether a character belongs to the categories C, Zl or Zp. Line breaks have ended the line.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar != "\t"
        case .format, .privateUse, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private func expectVisible(_ lines: [String], _ what: String) {
        for line in lines where line.unicodeScalars.contains(where: Self.isHidden) {
            Issue.record("\(what): \(line.debugDescription)")
        }
    }

    /// Runs a command, looks at everything that it writes, and expects `text` in it.
    private func run(_ words: [String], shows text: String? = nil) async throws {
        let tool = try Program(Program.tminus, words, environment: environment)
        try await tool.end()
        let lines = tool.output.texts + tool.errors.texts
        let what = words.joined(separator: " ").debugDescription
        expectVisible(lines, what)
        if let text { #expect(lines.contains { $0.contains(text) }, "\(what) without \(text): \(lines)") }
    }

    /// JSON in ASCII: some of the characters may not stand in a file as they are.
    private func json(_ value: Any) throws -> String {
        let text = String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
        return text.utf16.map { unit in
            guard unit >= 0x7F else { return String(Unicode.Scalar(UInt8(unit))) }
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private func saveDefinitions() throws {
        let shell = #"printf '%s\n' "$TMINUS_NAME"; printf '%s\n' "$TMINUS_NAME" >&2; exit 3 # "# + Self.odd
        let line: [String: Any] = ["stdout": [String: String](), "format": "json"]
        let actions: [Any] = ["stdout", line, ["shell": shell]]
        let event: [String: Any] = [
            "name": Self.odd, "description": Self.odd, "labels": ["text": Self.odd], "at": "2100-12-01",
            "remind": "1 day",
        ]
        let timer: [String: Any] = ["name": Self.odd, "duration": "100ms", "on-expiry": actions]
        let definitions: [String: Any] = [
            "events": ["launch": event], "timers": ["tea": timer], "stopwatches": ["run": ["name": Self.odd]],
        ]
        try scratch.save(Self.file, json(definitions))
        try scratch.save("broken.json", json(["timers": ["x": ["duration": "4m", Self.odd: Self.odd]]]))
        let other = "\(scratch.path)/other"
        try FileManager.default.createDirectory(
            atPath: other, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(json(["events": ["launch": ["name": Self.odd, "at": "2101-12-01"]]]).utf8)
            .write(to: URL(fileURLWithPath: "\(other)/\(Self.file)"))
    }

    @Test("no command, log or sink writes one of them: text has them as \\u{…}, JSON as \\u….")
    func everywhere() async throws {
        try saveDefinitions()
        let daemon = try RunningDaemon(in: scratch, ["--log-level", "trace"])
        try await daemon.ready()
        try await scratch.query("SELECT count(*) FROM delivery WHERE state = 'dead'", yields: ["1"])
        try await scratch.query("SELECT count(*) FROM delivery WHERE state = 'delivered'", yields: ["2"])

        let (text, json) = ("\\u{202e}", "\\u202e")
        let state = ["--state", scratch.state]
        let config = ["--config", scratch.config]
        for words in [["list"], ["show", "launch"], ["deliveries"], ["status"]] {
            try await run(words + state, shows: text)
            try await run(words + ["--json"] + state, shows: json)
        }
        // A reason is one line with the last words of the program: it is escaped when it is made.
        for words in [["why", "tea"], ["history", "tea"], ["fire", "tea"]] {
            try await run(words + state, shows: text)
            try await run(words + ["--json"] + state, shows: text)
        }
        try await run(["list", "--ascii"] + state, shows: text)
        for verb in ["start", "lap", "pause", "resume", "stop", "reset"] {
            try await run([verb, "run", "--note", Self.odd] + state)
            try await run([verb, "run", "--json"] + state, shows: json)
        }
        for words in [
            ["snooze", "launch", "1h"], ["skip", "launch"], ["mute", "launch", "--for", "1h"], ["mute", "--for", "1h"],
        ] {
            try await run(words + ["--note", Self.odd] + state)
            try await run(["show", "launch", "--json"] + state, shows: json)
            try await run(["show", "launch"] + state, shows: text)
        }
        try await run(["status"] + state, shows: text)
        try await run(["unmute"] + state)
        try await run(["unmute", "launch", "--json"] + state, shows: json)
        try await run(["fire", "tea", "--dry-run"] + state, shows: json)
        try await run(
            ["timer", "25m", "--name", Self.odd, "--then", "true # \(Self.odd)", "--json"] + state, shows: json)
        try await run(["stopwatch", "--name", "watch \(Self.odd)", "--json"] + state, shows: json)
        for words in [["wait"], ["reload", "--wait"], ["schema"]] {
            try await run(words + (words[0] == "schema" ? [] : state))
        }

        for words in [
            ["next"] + config, ["check", scratch.config], ["diff", "\(scratch.path)/other"] + config + state,
            ["simulate", "--from", "2100-11-01", "--to", "2102-01-01"] + ["--config", "\(scratch.path)/other"],
        ] {
            try await run(words, shows: text)
            try await run(words + ["--json"], shows: json)
        }
        try await run(["check", "--format", "github", scratch.config], shows: text)
        for kind in [["event", "2100-01-01"], ["timer", "25m"], ["stopwatch"]] {
            let words = ["add", kind[0], "new-\(kind[0])"] + kind.dropFirst()
            let texts = ["--name", Self.odd, "--description", Self.odd, "--file", "more.json"]
            try await run(words + texts + config)
            try await run(["edit", "new-\(kind[0])"] + config)
            try await run(["remove", "new-\(kind[0])", "--json"] + config)
        }

        try await daemon.stop()
        expectVisible(daemon.output.texts, "standard output of the daemon")
        expectVisible(daemon.errors.texts, "the log")
        for proof in [text, json, "\\u{e0041}", "\\udb40\\udc41"] {
            #expect(daemon.output.texts.contains { $0.contains(proof) }, "\(proof)")
        }
        #expect(daemon.errors.texts.contains { $0.contains(text) }, "\(daemon.errors.texts)")

        try scratch.save("broken.json", "{}")
        let second = try RunningDaemon(in: scratch, ["--log-level", "trace", "--log-format", "json"])
        try await second.ready()
        try await run(["fire", "tea"] + state)
        try await second.stop()
        expectVisible(second.output.texts + second.errors.texts, "the log in JSON")
        #expect(second.errors.texts.contains { $0.contains(text) }, "\(second.errors.texts)")
    }

    @Test("the live view draws none of them", .enabled(if: Tmux.isInstalled))
    func liveView() async throws {
        try saveDefinitions()
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        for words in ["watch", "watch launch"] {
            let terminal = try await Tmux(
                columns: 200, rows: 30, "'\(Program.tminus)' \(words) --state '\(scratch.state)'")
            try await terminal.row(with: "\\u{202e}")
            // The sequences of the view's own colours are not text.
            let rows = try await terminal.colors().map { $0.replacing(#/\u{1B}\[[0-9;]*m|[\u{0E}\u{0F}]/#, with: "") }
            expectVisible(rows, words)
        }
        try await daemon.stop()
    }

    @Test("no command echoes them from its arguments")
    func arguments() async throws {
        let help = try Program(Program.tminus, ["--experimental-dump-help"])
        try await help.end()
        let dump = try JSONSerialization.jsonObject(with: Data(help.output.texts.joined().utf8)) as? [String: Any]
        let root = try #require(dump?["command"] as? [String: Any])
        let commands = try #require(root["subcommands"] as? [[String: Any]]).compactMap { $0["commandName"] as? String }
        #expect(commands.count > 30)
        for command in commands {
            try await run([command, Self.odd])
            try await run([command, "--\(Self.odd)"])
            try await run([command, "--json", Self.odd, Self.odd])
        }
        try await run([Self.odd], shows: "\\u{1b}")
        try await run(["--\(Self.odd)"], shows: "\\u{1b}")
        for words in [
            ["deliveries", "retry"], ["deliveries", "discard"], ["deliveries", "--only"], ["deliveries", "--sink"],
            ["deliveries", "--delivery"], ["next", "--cron"], ["next", "--rrule"], ["next", "--at"],
            ["next", "--every"],
            ["next", "--config"], ["next", "--from"], ["next", "--at", "2026-12-01", "--tz"], ["check", "--format"],
            ["simulate", "--to", "2026-12-01", "--from"], ["diff", "--within"], ["diff", "--store"],

            ["run", "--log-level"], ["list", "--socket"], ["list", "--state"], ["snooze", "x"],
            ["mute", "--until"], ["mute", "--for"], ["why", "x"], ["add", "event", "x"], ["add", "timer", "x"],
            ["add", "event", "x", "2100-01-01", "--label"], ["add", "event", "x", "2100-01-01", "--cron"],
            ["add", "timer", "x", "4m", "--file"], ["remove", "--config"], ["edit", "--file"],
            ["wait", "--generation"],
        ] {
            try await run(words + [Self.odd])
        }
    }

    @Test("joiners inside emoji and beside letters of other scripts stay, as does other text beyond ASCII")
    func joiners() async throws {
        let name = "Übergabe 👩‍🚀 می‌خواهم 時計"
        try scratch.save("a.json", json(["timers": ["tea": ["name": name, "duration": "100ms"]]]))
        let daemon = try RunningDaemon(in: scratch)
        let line = try await daemon.output.first("the expiry") { _ in true }
        #expect(line.text.unicodeScalars.contains("\u{200D}") && line.text.contains(name), "\(line.text)")
        let list = try Program(Program.tminus, ["list", "--json", "--state", scratch.state])
        try await list.end()
        #expect(list.output.texts.contains { $0.contains(name) }, "\(list.output.texts)")
        try await daemon.stop()
    }
}
