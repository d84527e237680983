import Foundation
import Testing
import TminusTestKit

/// Gives every option of every command values that nobody means, without a daemon.
@Suite("Options") struct OptionTests {
    /// A command as swift-argument-parser describes it.
    private struct Command: Decodable, Sendable {
        struct Argument: Decodable, Sendable {
            struct Name: Decodable, Sendable {
                var kind: String
                var name: String

                /// The option as it is typed.
                var text: String { (kind == "long" ? "--" : "-") + name }
            }

            var kind: String
            var preferredName: Name?
            var isOptional: Bool
        }

        var commandName: String
        var arguments: [Argument]?
        var subcommands: [Command]?

        /// The words of each command that does something, with its own description.
        func leaves(_ words: [String] = []) -> [(words: [String], command: Command)] {
            let inner = (subcommands ?? []).flatMap { $0.leaves(words + [$0.commandName]) }
            return inner.isEmpty ? [(words, self)] : inner
        }
    }

    private struct Description: Decodable {
        var command: Command
    }

    /// Values for an option; nil: the option is given twice. The kernel takes no argument of 128 KiB or more (execve(2)).
    private static let values: [String?] = [
        nil, "", "\u{1b}[31m\u{7}\u{202e}x", "-1", "99999999999999999999", String(repeating: "x", count: 131_000),
    ]

    /// Ends without doing anything, whatever the other options are.
    private static func harmless(_ words: [String], _ scratch: Scratch) -> [String] {
        switch words.first {
        case "run": ["--strict", "--config", "\(scratch.path)/none", "--state", scratch.state]
        case "simulate": ["--config", scratch.config, "--from", "2026-01-01", "--to", "2026-01-02"]
        case "add", "edit", "remove", "next": ["--config", scratch.config]
        case "diff": ["--config", scratch.config, "--state", scratch.state]
        case "check", "schema", "help": []
        default: ["--state", scratch.state]
        }
    }

    @Test("each option refuses odd values in few words, and no process crashes")
    func oddValues() async throws {
        let dump = try Program(Program.tminus, ["--experimental-dump-help"])
        #expect(try await dump.end() == 0)
        let text = Data(dump.output.texts.joined(separator: "\n").utf8)
        let leaves = try JSONDecoder().decode(Description.self, from: text).command.leaves()
        #expect(leaves.count > 30)
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 10m, start: manual } }\n")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, leaf) in leaves.enumerated() {
                if place >= 4 { try await group.next() }
                group.addTask { try await Self.tryAll(leaf.words, leaf.command, scratch) }
            }
            try await group.waitForAll()
        }
        // Nothing was changed by any of it.
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.config) == ["a.yaml"])
    }

    private static func tryAll(
        _ words: [String], _ command: Command, _ scratch: Scratch
    ) async throws {
        let options = (command.arguments ?? []).filter { $0.kind != "positional" }.compactMap { argument in
            argument.preferredName.map { (name: $0.text, isFlag: argument.kind == "flag") }
        }
        let needed = (command.arguments ?? []).filter { $0.kind == "positional" && !$0.isOptional }.map { _ in "nowhere"
        }
        for option in options {
            for value in values where value == nil || !option.isFlag {
                let given =
                    option.isFlag
                    ? [option.name, option.name] : [option.name, value ?? "1", option.name, value ?? "1"]
                let arguments =
                    words + needed + harmless(words, scratch) + (value == nil ? given : Array(given.prefix(2)))
                // A directory of its own: some options take the odd value as the name of a file to write.
                let program = try Program(
                    "/usr/bin/env", ["-C", scratch.path, Program.tminus] + arguments,
                    environment: Program.environment.merging(["EDITOR": "true"]) { $1 })
                let status = try await program.end()
                let shown = "\(arguments.map { $0.count > 80 ? "\($0.count) bytes" : $0.debugDescription }) → \(status)"
                #expect(status < 128, "\(shown): \(program.errors.texts)")
                // The report of doctor is its reason.
                let told = program.errors.texts + (words == ["doctor"] ? program.output.texts : [])
                #expect(status == 0 || !told.isEmpty, "\(shown): no reason")
                for line in told {
                    #expect(line.utf8.count < 2_000, "\(shown): a line of \(line.utf8.count) bytes")
                    let raw = line.unicodeScalars.filter {
                        $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
                    }
                    #expect(raw.isEmpty, "\(shown): \(line.debugDescription)")
                }
            }
        }
    }
}
