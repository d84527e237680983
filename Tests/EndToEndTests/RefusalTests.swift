import Foundation
import Glibc
import Testing

@Suite("Refusals and exit statuses")
struct RefusalTests {
    private static let wrong = "timers:\n  t: { duratoin: 1s, duration: 1s }\n"
    private static let message = "unknown key 'duratoin', did you mean 'duration'?"

    private func tminus(_ arguments: String...) async throws -> (status: CInt, output: [String], errors: [String]) {
        let program = try Program(Program.tminus, arguments)
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    @Test("check without errors: status 0 and a summary line")
    func checkFine() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { t: { duration: 1s } }\n")
        let result = try await tminus("check", scratch.config)
        #expect(result == (0, ["1 definition in 1 file, 0 errors, 0 warnings"], []))
    }

    @Test(
        "a full disk at standard output is status 74, not a truncated answer", arguments: ["schema", "check", "next"])
    func fullOutput(command: String) async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { t: { duration: 1s } }\n")
        let path = command == "schema" ? "" : scratch.config
        let program = try Program("/bin/sh", ["-c", "exec \"$0\" $1 $2 >/dev/full", Program.tminus, command, path])
        #expect(try await program.end() == 74)
        #expect(program.errors.texts.contains { $0.contains("cannot write to standard output") })
    }

    @Test("an id that is none is status 65 in every command that takes one, and is shown cut if it is long")
    func noID() async throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        for command in [
            ["fire"], ["show"], ["skip"], ["why"], ["history"], ["deliveries", "--id"],
            ["deliveries", "discard", "--definition"],
        ] {
            let program = try Program(Program.tminus, command + ["", "--state", scratch.state])
            #expect(try await program.end() == 65, "\(command)")
            #expect(
                program.errors.texts == [
                    "tminus: '' is not an id: 1 to 64 of the characters A-Z a-z 0-9 . _ -"
                ])
        }
        let long = try await tminus("next", "--config", scratch.config, String(repeating: "x", count: 100_000))
        #expect(long.status == 65)
        #expect(long.errors.joined().count < 500)
        #expect(try await daemon.stop() == 0)
    }

    @Test("check with an error: status 65, place and caret on standard error, for a directory and a file")
    func checkWrong() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.wrong)
        for path in [scratch.config, "\(scratch.config)/a.yaml"] {
            let result = try await tminus("check", path)
            #expect(result.status == 65)
            #expect(
                result.errors == [
                    "\(scratch.config)/a.yaml:2:8: error: \(Self.message)", "  t: { duratoin: 1s, duration: 1s }",
                    "       ^~~~~~~~",
                ])
        }
    }

    @Test("a file checked alone does not see other files' sinks, and the message says so; a directory does")
    func checkAlone() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "sinks: { log: { webhook-file: /tmp/log } }\n")
        try scratch.save("b.yaml", "timers: { t: { duration: 1s, on-expiry: [log] } }\n")
        #expect(try await tminus("check", scratch.config).status == 0)
        let alone = try await tminus("check", "\(scratch.config)/b.yaml")
        #expect(alone.status == 65)
        let end = "(a file named alone does not see the sinks of others: name the directory)"
        #expect(alone.errors.first?.hasSuffix(end) == true, "\(alone.errors)")
    }

    @Test("check writes JSON or GitHub workflow annotations to standard output")
    func checkFormats() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.wrong)
        let json = try await tminus("check", "--json", scratch.config)
        #expect(json.status == 65)
        let text = Data(json.output.joined(separator: "\n").utf8)
        let items = try #require(try JSONSerialization.jsonObject(with: text) as? [[String: Any]])
        #expect(items.count == 1)
        #expect(items.first?["message"] as? String == Self.message)
        #expect(items.first?["line"] as? Int == 2)
        #expect(items.first?["column"] as? Int == 8)

        let github = try await tminus("check", "--format", "github", scratch.config)
        #expect(github.status == 65)
        #expect(
            github.output == ["::error file=\(scratch.config)/a.yaml,line=2,col=8,endColumn=16::\(Self.message)"])
    }

    @Test("a missing path is status 74, an unknown flag 64")
    func checkUsage() async throws {
        let scratch = try Scratch()
        let missing = try await tminus("check", "\(scratch.path)/nowhere")
        #expect(missing.status == 74)
        #expect(missing.errors == ["tminus: \(scratch.path)/nowhere: there is no such file or directory"])
        #expect(try await tminus("check", "--nonsense").status == 64)
        #expect(try await tminus("run", "--nonsense").status == 64)
    }

    @Test("help for an unknown command is status 64, for a known one 0")
    func helpTopics() async throws {
        let unknown = try await tminus("help", "nosuch")
        #expect(unknown == (64, [], ["tminus: unknown command 'nosuch'; 'tminus help' lists all commands"]))
        let nested = try await tminus("help", "deliveries", "retry")
        #expect(nested.status == 0)
        #expect(nested.output.first == "OVERVIEW: Retry deliveries now.")
        #expect(try await tminus("help").status == 0)
    }

    @Test("with --strict an error prevents the start: status 65")
    func strict() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.wrong)
        let daemon = try RunningDaemon(in: scratch, ["--strict"])
        #expect(try await daemon.program.end() == 65)
        #expect(daemon.errors.texts.first == "\(scratch.config)/a.yaml:2:8: error: \(Self.message)")
    }

    @Test("a damaged store, or a directory in its place, is status 74, and the message names it and says what to do")
    func damagedStore() async throws {
        for content in [Data((0..<9_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }), nil] {
            let scratch = try Scratch()
            let store = "\(scratch.state)/tminus.sqlite"
            if let content {
                try content.write(to: URL(fileURLWithPath: store))
            } else {
                try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
            }
            let daemon = try RunningDaemon(in: scratch)
            #expect(try await daemon.program.end() == 74)
            let line = try #require(daemon.errors.texts.first)
            #expect(line.hasPrefix("tminus: \(store): is "))
            #expect(line.contains("move"))
            if let content { #expect(FileManager.default.contents(atPath: store) == content) }
        }
    }

    @Test("a world-writable state or config directory is refused with status 77 unless allowed")
    func permissions() async throws {
        for directory in [\Scratch.state, \Scratch.config] {
            let scratch = try Scratch()
            try #require(chmod(scratch[keyPath: directory], 0o777) == 0)
            let refused = try RunningDaemon(in: scratch)
            #expect(try await refused.program.end() == 77)
            #expect(refused.errors.texts.first?.contains(scratch[keyPath: directory]) == true)

            let allowed = try RunningDaemon(in: scratch, ["--insecure-permissions"])
            try await allowed.ready()
            #expect(try await allowed.stop() == 0)
        }
    }

    @Test(
        "a store on a network file system is refused in words, also if its server does not answer: status 64",
        .enabled(if: NetworkMount.isPossible))
    func networkStore() async throws {
        let scratch = try Scratch()
        let words = NetworkMount.prefix + [Program.tminus, "run", "--config", scratch.config, "--state", scratch.state]
        let refused = try Program(
            words[0], Array(words.dropFirst()),
            environment: Program.environment.merging(["STATE": scratch.state]) { $1 })
        #expect(try await refused.end() == 64)
        let reason = "is on a network file system (fuse.sshfs), where SQLite can damage the store; name a directory"
        #expect(refused.errors.texts.contains { $0.contains(reason) }, "\(refused.errors.texts)")
    }
}
