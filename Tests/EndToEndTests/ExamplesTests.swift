import Foundation
import Testing

/// The examples in the help, README and articles: they run, without a warning, and print what the text says.
@Suite("Examples for users")
struct ExamplesTests {
    private static let definitions = """
        sinks:
          team-chat: { webhook: "http://127.0.0.1:9/" }
        events:
          launch: { at: 2099-12-01 09:00, remind: [1 week, 1 day], on-reminder: [stdout, team-chat] }
          stand-up: { cron: 30 9 * * MON-FRI }
          backup: { cron: 30 2 * * * }
        timers:
          tea: { duration: 4m, start: manual }
          broken: { duration: 1ms, on-expiry: [{ shell: exit 1 }] }

        """

    /// The files that examples name.
    private static func prepare(_ scratch: Scratch) throws {
        let files = FileManager.default
        for directory in ["config/hooks", "config/plugins", "var", "bin"] {
            try files.createDirectory(atPath: "\(scratch.path)/\(directory)", withIntermediateDirectories: true)
        }
        let programs = [
            "hooks/launch.sh", "hooks/launch.py", "hooks/refresh", "hooks/refresh.sh", "plugins/sqlite-log.py",
            "refresh.sh",
        ]
        for program in programs {
            _ = files.createFile(
                atPath: "\(scratch.config)/\(program)", contents: Data("#!/bin/sh\n".utf8),
                attributes: [.posixPermissions: 0o755])
        }
        for secret in ["token", "chat-secret"] {
            _ = files.createFile(
                atPath: "\(scratch.config)/\(secret)", contents: Data("0123456789abcdef".utf8),
                attributes: [.posixPermissions: 0o600])
        }
        try files.createSymbolicLink(atPath: "\(scratch.path)/bin/tminus", withDestinationPath: Program.tminus)
    }

    private static func environment(_ scratch: Scratch) -> [String: String] {
        var environment = Program.environment
        environment["PATH"] = "\(scratch.path)/bin:" + (environment["PATH"] ?? "/usr/bin:/bin")
        environment.merge([
            "EDITOR": "true", "TZ": "Europe/Berlin", "TMINUS_STATE": scratch.state, "CHAT_SECRET": "0123456789abcdef",
        ]) { $1 }
        environment["VISUAL"] = nil
        return environment
    }

    /// Runs a command line in the directory that holds `config`.
    private func run(_ line: String, _ scratch: Scratch) async throws -> Program {
        let shell = try Program(
            "/bin/sh", ["-c", "cd '\(scratch.path)' && \(line)"], environment: Self.environment(scratch))
        try await shell.end()
        return shell
    }

    /// Runs an example that changes files in a directory of its own, and any other with a daemon.
    private func runExample(_ example: String, _ daemon: Scratch) async throws {
        let isAddition = example.hasPrefix("tminus add ")
        let scratch = isAddition ? try Scratch() : daemon
        if isAddition { try Self.prepare(scratch) }
        // What an example sends is in the future for its reader.
        let needsFuture = isAddition || example.hasPrefix("tminus mute ")
        let shell = try await run(needsFuture ? example.replacing("2026-", with: "2099-") : example, scratch)
        #expect(try await shell.end() == 0, "\(example): \(shell.errors.texts)")
        // How a date was understood is no warning.
        let warnings = shell.errors.texts.filter { !$0.hasPrefix("tminus: --") && !$0.hasPrefix("tminus: time: ") }
        #expect(warnings == [], "\(example)")
        #expect(shell.output.texts != [], "\(example)")
    }

    @Test("every example of a command in the help, README and articles runs without a warning")
    func commands() async throws {
        let scratch = try Scratch()
        try Self.prepare(scratch)
        try scratch.save("launch.yaml", Self.definitions)
        let daemon = try RunningDaemon(in: scratch, RunningDaemon.listening)
        try await daemon.ready()
        try await scratch.query("SELECT count(*) FROM delivery WHERE state = 'dead'", yields: ["1"])
        // The daemon tells nobody that its socket is open: the shell asks again.
        let up = try await run("until tminus status >/dev/null 2>&1; do sleep 0.05; done; echo up", scratch)
        #expect(up.output.texts == ["up"])
        let id = try #require(try await scratch.query("SELECT id FROM delivery WHERE state = 'dead'").first).prefix(8)
        let help = try await Documents.program()
        var examples = help.discussions.flatMap { $0.split(separator: "\n") }
            .filter { $0.hasPrefix("  tminus ") }.map { String($0.dropFirst(2)) }
        #expect(examples.count > 20)
        let names = help.subcommands?.map(\.commandName) ?? []
        for file in Documents.files {
            // In code: a command that gives an option a value, without a placeholder such as ID.
            for match in Documents.text(file).matches(of: /`(?:tminus )?([a-z]+ [^`\n]*--[a-z-]+ [^`\n]*)`/) {
                let words = match.output.1.split(separator: " ")
                let isConcrete = words.allSatisfy { !$0.contains("[") && !$0.allSatisfy(\.isUppercase) }
                if isConcrete, names.contains(String(words[0])) { examples.append("tminus \(match.output.1)") }
            }
        }
        var seen: Set<String> = []
        // StoreCommandTests has a database for those of `tminus store`.
        examples.removeAll { $0.hasPrefix("tminus store ") }
        for example in examples where seen.insert(example).inserted {
            try await runExample(example.replacing("6207e08e", with: id), scratch)
        }
        try await daemon.stop()
    }

    @Test("the example of 'next --batch' has the answer that its help shows")
    func batch() async throws {
        let scratch = try Scratch()
        try Self.prepare(scratch)
        let text = try await Documents.program().discussions.joined(separator: "\n").replacing("\n", with: " ")
        let example = try #require(text.firstMatch(of: /(\{"id": 1, [^}]*\}) gives (\{"id":1,[^}]*\})/))
        let shell = try await run("printf '%s\\n' '\(example.output.1)' | tminus next --batch", scratch)
        #expect(shell.output.texts == [String(example.output.2)])
    }

    @Test(
        "every definition file in README and articles is valid, without a warning", arguments: Documents.blocks("yaml"))
    func definitionFiles(block: Documents.Block) async throws {
        let lines = block.text.split(separator: "\n", omittingEmptySubsequences: false)
        func indented(_ count: Int) -> String {
            lines.map { $0.isEmpty ? "" : String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
        }
        // Some blocks are a part of a file: the keys of a timer, or a timer.
        let files = [
            block.text, "timers:\n  example:\n    duration: 1h\n\(indented(4))", "timers:\n\(indented(2))",
        ]
        var answers: [[String]] = []
        for file in files {
            let scratch = try Scratch()
            try Self.prepare(scratch)
            try scratch.save("launch.yaml", file.replacing(/at: 20\d\d-/, with: "at: 2099-"))
            let shell = try await run("tminus check config", scratch)
            if try await shell.end() == 0, shell.output.texts.first?.hasSuffix(", 0 errors, 0 warnings") == true {
                return
            }
            answers.append(shell.errors.texts)
        }
        Issue.record("\(answers)")
    }

    /// A line without what differs from run to run.
    private static func normal(_ line: String) -> String {
        line.replacing(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?[+-]\d\d:\d\d)?/, with: "TIME")
            .replacing(/https?:\/\/[^:\s]+(:\d+)?/, with: "URL").replacing(/(config|store|hash|tzdata)=\S+/) {
                "\($0.output.1)="
            }
    }

    @Test("a first run prints what README shows")
    func firstRun() async throws {
        let shown = try #require(Documents.blocks("console").first { $0.file == "README.md" }).text
        let scratch = try Scratch()
        let config = "\(Program.repository)/config"
        for name in try FileManager.default.contentsOfDirectory(atPath: config) {
            try scratch.save(
                name,
                String(decoding: try #require(FileManager.default.contents(atPath: "\(config)/\(name)")), as: UTF8.self)
            )
        }
        var environment = Program.environment
        environment["TZ"] = "Europe/Berlin"
        let daemon = try RunningDaemon(in: scratch, environment: environment)
        try await daemon.ready()
        let line = try await daemon.output.first("the first countdown") { $0.contains(" hello: ") }
        try await daemon.stop()
        // The hooks that the config names are not beside this copy of it, and the log says so.
        let shownNotices = [" notice: tminus runs ", " notice: definitions in force "]
        let lines = daemon.errors.texts.filter { text in shownNotices.contains { text.contains($0) } } + [line.text]
        #expect(lines.map(Self.normal) == shown.split(separator: "\n").map { Self.normal(String($0)) })
    }

    @Test("'tminus fire' prints what the article about hooks shows")
    func fire() async throws {
        let block = try #require(Documents.blocks("console").first { $0.file.hasSuffix("/Hooks.md") })
        let shown = block.text.split(separator: "\n").map(String.init)
        let server = try await WebServer(answers: [503])
        let scratch = try Scratch()
        try Self.prepare(scratch)
        // The hook is in the line that the article names.
        let place = try #require(block.text.firstMatch(of: /launch\.yaml:(\d+)/).flatMap { Int($0.output.1) })
        let file = """
            sinks:
              team-chat: { webhook: "\(server.url("/"))", retry: { first: 1h, max: 1h } }
            events:
              launch:
                at: 2099-12-01 09:00
                on-expiry:

            """
        let padding = String(repeating: "\n", count: max(0, place - file.split(separator: "\n").count - 1))
        try scratch.save("launch.yaml", file + padding + "      - shell: ./hooks/launch.sh\n      - team-chat\n")
        let daemon = try RunningDaemon(in: scratch, environment: Self.environment(scratch))
        try await daemon.ready()
        // The daemon tells nobody that its socket is open: the shell asks again.
        let shell = try await run(
            "until tminus status >/dev/null 2>&1; do sleep 0.05; done; \(shown[0].dropFirst(2))", scratch)
        #expect(shell.output.texts.map(Self.normal) == shown.dropFirst().map(Self.normal))
        #expect(try await shell.end() == 1)
        try await daemon.stop()
    }

    @Test("the payloads in README and articles have the members that a sink gets")
    func payloads() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml", "timers: { tea: { duration: 1ms, name: Green tea, on-expiry: [{ stdout: {}, format: json }] } }\n"
        )
        let daemon = try RunningDaemon(in: scratch)
        let line = try await daemon.output.first("the payload") { $0.hasPrefix("{") }
        try await daemon.stop()
        func members(_ text: String) throws -> (event: Set<String>, data: Set<String>) {
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
            return (Set(object.keys), Set((object["data"] as? [String: Any] ?? [:]).keys))
        }
        let real = try members(line.text)
        let blocks = Documents.blocks("json").filter { $0.text.contains("\"specversion\"") }
        #expect(blocks.count == 2)
        for block in blocks {
            let shown = try members(block.text.replacing(", ... }", with: " }"))
            #expect(shown.event == real.event, "\(block)")
            // An ellipsis stands for more members.
            #expect(
                block.text.contains("...") ? shown.data.isSubset(of: real.data) : shown.data == real.data, "\(block)")
        }
    }
}
