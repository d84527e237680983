import Foundation
import Testing

/// The texts with examples for users: README, articles and the help of commands.
enum Documents {
    /// A fenced block of a Markdown file.
    struct Block: Sendable, CustomTestStringConvertible {
        /// The file, relative to the repository.
        var file: String
        /// The line of the fence.
        var line: Int
        /// The word behind the fence.
        var language: String
        /// The content with the indentation of the fence removed.
        var text: String

        var testDescription: String { "\(file):\(line)" }
    }

    /// README and the articles, relative to the repository.
    static let files: [String] = {
        let articles = "Sources/TminusCore/TminusCore.docc"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(Program.repository)/\(articles)")) ?? []
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(articles)/\($0)" }
    }()

    /// The content of a file of the repository.
    static func text(_ file: String) -> String {
        String(decoding: FileManager.default.contents(atPath: "\(Program.repository)/\(file)") ?? Data(), as: UTF8.self)
    }

    /// All fenced blocks in a language.
    static func blocks(_ language: String) -> [Block] {
        files.flatMap { blocks(of: $0) }.filter { $0.language == language }
    }

    private static func blocks(of file: String) -> [Block] {
        var (blocks, open): ([Block], (block: Block, indentation: Int)?) = ([], nil)
        for (index, line) in text(file).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let indentation = line.prefix { $0 == " " }.count
            let content = line.dropFirst(indentation)
            if content.hasPrefix("```") {
                if let (block, _) = open {
                    blocks.append(block)
                    open = nil
                } else {
                    let language = String(content.dropFirst(3))
                    open = (Block(file: file, line: index + 1, language: language, text: ""), indentation)
                }
            } else if let (_, outer) = open {
                open?.block.text += String(line.dropFirst(min(indentation, outer))) + "\n"
            }
        }
        return blocks
    }

    /// A command as `--experimental-dump-help` describes it.
    struct Command: Decodable {
        var commandName: String
        var discussion: String?
        var subcommands: [Command]?

        /// The discussions of this command and of those below it.
        var discussions: [String] { [discussion ?? ""] + (subcommands ?? []).flatMap(\.discussions) }
    }

    /// All commands of the program.
    static func program() async throws -> Command {
        struct Dump: Decodable { var command: Command }
        let program = try Program(Program.tminus, ["--experimental-dump-help"])
        try await program.end()
        let text = program.output.texts.joined(separator: "\n")
        return try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command
    }
}
