import Foundation
import Testing
import TminusCore
import TminusSinks

@testable import TminusDefinitions

@Suite("schema and reference")
struct SchemaTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func load(_ file: String) -> LoadResult {
        var loader = DefinitionLoader(zones: TestZones.shared, sinks: KeySample.registry, displayRoot: "config")
        return loader.load(["a.yaml": file])
    }

    /// Compares a committed document with its source.
    private func compare(_ text: String, with path: String) throws {
        let place = Self.root.appendingPathComponent(path)
        if ProcessInfo.processInfo.environment["TMINUS_RECORD"] == "1" { try Data(text.utf8).write(to: place) }
        let committed = try String(decoding: Data(contentsOf: place), as: UTF8.self)
        #expect(text == committed, "\(path) is not up to date: make docs")
    }

    @Test("the committed schema matches the tables")
    func schemaFile() throws {
        try compare(DefinitionSchema(KeySample.registry).text, with: "Examples/tminus.schema.json")
    }

    @Test("the committed reference matches the tables")
    func referenceFile() throws {
        try compare(
            DefinitionReference(KeySample.registry).text, with: "Sources/TminusCore/TminusCore.docc/Configuration.md")
    }

    @Test(
        "the example and the tables of README name every key of a definition",
        arguments: DefinitionKeys.tables.filter { $0.name != "retry" }.map(\.name))
    func readme(name: String) throws {
        let text = try String(decoding: Data(contentsOf: Self.root.appendingPathComponent("README.md")), as: UTF8.self)
        let example = try #require(text.firstMatch(of: /\n```yaml\n(?s:.*?)\n```/))
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }.joined(separator: "\n")
        let words = Set("\(example.output)\n\(rows)".split { !$0.isLetter && $0 != "-" })
        for key in try #require(DefinitionKeys.tables.first { $0.name == name }).table.keys {
            // A key with a sign in it is no word of a row: it stands in code.
            #expect(words.contains(Substring(key.name)) || text.contains("`\(key.name)`"), "\(key.name)")
        }
    }

    @Test("the sample file of the reference decodes")
    func sample() {
        #expect(load(ReferenceProse.sample).diagnostics.isEmpty)
    }

    @Test("each valid value of each key decodes, including defaults and examples", arguments: KeySample.good)
    func good(sample: KeySample) {
        let errors = load(sample.file).diagnostics.filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(DiagnosticText.render(errors))\(sample.file)")
    }

    @Test("each invalid value of each key is reported in its line", arguments: KeySample.bad)
    func bad(sample: KeySample) {
        let last = sample.file.split(separator: "\n").count
        let errors = load(sample.file).diagnostics.filter { $0.severity == .error }
        // A missing value is reported at the end of the text.
        #expect(errors.contains { $0.location.line == last || (sample.value.isEmpty && $0.location.line > last) })
        #expect(!errors.contains { $0.message.hasPrefix("unknown key '\(sample.key)'") })
    }

    @Test("the schema has exactly the keys of the tables, with their summaries", arguments: KeySample.tables)
    func complete(named: KeySample.Named) throws {
        let (name, table) = (named.name, named.table)
        let text = DefinitionSchema(KeySample.registry).text
        let schema = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let definitions = try #require(schema["$defs"] as? [String: Any])
        let part = try #require(name == "file" ? schema : definitions[name] as? [String: Any])
        let properties = try #require(part["properties"] as? [String: [String: Any]])
        #expect(Set(properties.keys) == Set(table.keys.map(\.name)))
        #expect(part["additionalProperties"] as? Bool == false)
        for key in table.keys {
            let description = try #require(properties[key.name]?["description"] as? String)
            #expect(description.hasPrefix(key.summary))
            #expect((properties[key.name]?["default"] != nil) == (key.standard != nil), "\(key.name)")
        }
    }

    @Test("each key has a default or is required", arguments: KeySample.tables)
    func described(named: KeySample.Named) {
        let (name, table) = (named.name, named.table)
        for key in table.keys where name != "file" {
            let isNamedByRule = table.rules.contains {
                if case .exactlyOne(let keys) = $0 { keys.contains(key.name) } else { false }
            }
            let isMark = key.type == .nothing
            let isText = ["description", "color"].contains(key.name)
            #expect(
                key.isRequired || isNamedByRule || isMark || isText || key.standard != nil || key.otherwise != nil,
                "\(name): \(key.name)")
            #expect(key.example != nil || isMark, "\(name): \(key.name)")
        }
    }

    /// `make check-schema` hands these files to an independent validator.
    @Test(
        "the samples are written for a validator",
        .enabled(if: ProcessInfo.processInfo.environment["TMINUS_SCHEMA_CASES"] != nil))
    func write() throws {
        let directory = URL(fileURLWithPath: ProcessInfo.processInfo.environment["TMINUS_SCHEMA_CASES"] ?? "")
        for (name, samples) in [("good", KeySample.good), ("bad", KeySample.bad)] {
            let place = directory.appendingPathComponent(name)
            try? FileManager.default.removeItem(at: place)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for (index, sample) in samples.enumerated() {
                let file = place.appendingPathComponent("\(index)-\(sample.table)-\(sample.key).yaml")
                try Data(sample.file.utf8).write(to: file)
            }
        }
    }
}
