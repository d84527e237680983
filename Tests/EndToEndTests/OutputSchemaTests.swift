import Foundation
import Testing

/// The schemas of what commands write with `--json`. `make check-schema` holds real output against them.
@Suite("Schemas of the output")
struct OutputSchemaTests {
    /// A command as `--experimental-dump-help` describes it, with its options.
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable { var name: String }
            var names: [Name]?
        }

        var commandName: String
        var arguments: [Argument]?
        var subcommands: [Command]?

        /// The commands from here on with `--json`. A command with subcommands has the options of its default one.
        func named(after words: [String] = []) -> [String] {
            let words = words + [commandName]
            let hasJSON = (arguments ?? []).contains { $0.names?.contains { $0.name == "json" } == true }
            let own = hasJSON && subcommands?.isEmpty != false ? [words.joined(separator: " ")] : []
            return own + (subcommands ?? []).flatMap { $0.named(after: words) }
        }
    }

    private static let folder = URL(fileURLWithPath: Program.repository).appendingPathComponent("Examples/schemas")

    private func object(_ file: URL) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    }

    /// All schemas, by the name of their file.
    private func schemas() throws -> [String: [String: Any]] {
        let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        return try Dictionary(uniqueKeysWithValues: files.map { ($0.lastPathComponent, try object($0)) })
    }

    @Test("every command with --json is named by exactly one schema, and the article names the same one")
    func commands() async throws {
        struct Dump: Decodable { var command: Command }
        let program = try Program(Program.tminus, ["--experimental-dump-help"])
        try await program.end()
        let text = program.output.texts.joined(separator: "\n")
        let commands = try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command.named()
        #expect(commands.count > 25 && commands.contains("tminus deliveries retry"))

        let schemas = try schemas()
        let described = schemas.values.flatMap { $0["x-commands"] as? [String] ?? [] }
        #expect(described.sorted() == commands.sorted())
        #expect(schemas["payload.schema.json"] != nil)

        let article = Documents.text("Sources/TminusCore/TminusCore.docc/JSON.md")
        for (file, schema) in schemas {
            let row = article.split(separator: "\n").first { $0.contains("| `\(file)`") }
            for command in schema["x-commands"] as? [String] ?? [] {
                let words = command.dropFirst("tminus ".count)
                #expect(row?.contains("`\(words)`") == true, "\(file): \(command)")
            }
            #expect(row != nil, "\(file)")
        }
    }

    @Test("the names of members are words with hyphens, but for those that CloudEvents and Open API lay down")
    func names() throws {
        func names(_ value: Any) -> [String] {
            if let list = value as? [Any] { return list.flatMap(names) }
            guard let object = value as? [String: Any] else { return [] }
            let own = (object["properties"] as? [String: Any]).map { Array($0.keys) } ?? []
            return own + object.values.flatMap(names)
        }
        for (file, schema) in try schemas() {
            let laidDown = file == "payload.schema.json" ? ["specversion", "datacontenttype"] : []
            for name in names(schema) where !laidDown.contains(name) {
                #expect(name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(file): \(name)")
            }
        }
    }

    @Test("each schema stands alone, and has the parts of the control socket's description unchanged")
    func copies() throws {
        let document = try object(Self.folder.appendingPathComponent("../control.openapi.json"))
        let components = try #require(
            (document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
        var copied: Set<String> = []
        for (file, schema) in try schemas() {
            #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema", "\(file)")
            let parts = schema["$defs"] as? [String: [String: Any]] ?? [:]
            let text = String(decoding: try JSONSerialization.data(withJSONObject: schema), as: UTF8.self)
                .replacing("\\/", with: "/")
            for reference in text.matches(of: /"\$ref":"([^"]*)"/).map({ String($0.output.1) }) {
                let name = String(reference.dropFirst("#/$defs/".count))
                #expect(reference.hasPrefix("#/$defs/") && parts[name] != nil, "\(file): \(reference)")
            }
            for (name, part) in parts {
                guard let component = components[name] else { continue }
                copied.insert(name)
                let renamed = String(decoding: try JSONSerialization.data(withJSONObject: component), as: UTF8.self)
                    .replacing("\\/", with: "/").replacing("#/components/schemas/", with: "#/$defs/")
                let expected = try JSONSerialization.jsonObject(with: Data(renamed.utf8)) as? NSDictionary
                #expect(expected == part as NSDictionary, "\(file): \(name) is not up to date: make docs")
            }
        }
        #expect(copied.isSuperset(of: ["Item", "ItemDetails", "Status", "Delivery", "History", "Live", "Event"]))
    }
}
