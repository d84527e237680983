import Foundation
import Testing
import TminusCore
import TminusSinks

@testable import TminusDefinitions

/// Compares one file or directory of `Golden/` per rule with its recorded diagnostics and definitions.
///
/// `TMINUS_RECORD=1` records them again.
@Suite("golden diagnostics")
struct GoldenTests {
    static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")

    static let names: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return all.filter { !$0.hasSuffix(".txt") }.sorted()
    }()

    @Test("each file gives the recorded diagnostics and definitions", arguments: names)
    func golden(name: String) throws {
        let result = try Self.load(name)
        let text = DiagnosticText.render(result.diagnostics) + Self.summary(of: result)
        try Self.compare(text, with: Self.directory.appendingPathComponent(name + ".txt"))
    }

    /// The formats for programs, for each kind of location: with a caret, with a note, without a line.
    @Test(
        "the formats for programs match their records",
        arguments: ["duplicate-key.yaml", "utf16.yaml", "past.yaml", "hostile.yaml", "wide.yaml", "duplicates"])
    func formats(name: String) throws {
        let diagnostics = try Self.load(name).diagnostics
        let json = DiagnosticFormats.json(diagnostics)
        let list = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        #expect(list.map { $0["message"] as? String } == diagnostics.map(\.message))
        try Self.compare(json, with: Self.formats.appendingPathComponent(name + ".json"))
        let github = DiagnosticFormats.github(diagnostics)
        #expect(github.split(separator: "\n").count == diagnostics.count)
        try Self.compare(github, with: Self.formats.appendingPathComponent(name + ".github"))
    }

    @Test("names with special characters of terminals, workflows or JSON are escaped in every format")
    func oddNames() throws {
        let names = [
            "a b.yaml", "a:1,b=2%.yaml", "new\nline\r::error::.yaml", "\"quoted\"\\.json", "\u{1B}[31m\u{202E}.yaml",
            "tää/お茶.yaml",
        ]
        let files = names.map { SourceFile(path: $0, content: .bytes(Array("{\"x\u{7F}\": 1}".utf8))) }
        var loader = Self.loader
        let diagnostics = loader.load(DirectoryContents(root: "/etc/tminus", files: files), now: june).diagnostics
        #expect(diagnostics.count == names.count)
        try Self.compare(
            DiagnosticText.render(diagnostics) + DiagnosticFormats.json(diagnostics)
                + DiagnosticFormats.github(diagnostics),
            with: Self.formats.appendingPathComponent("odd-names.txt"))
        #expect(
            DiagnosticFormats.github(diagnostics).split(separator: "\n").allSatisfy { $0.hasPrefix("::error file=") })
    }

    private static let formats = directory.deletingLastPathComponent().appendingPathComponent("GoldenFormats")

    private static var loader: DefinitionLoader {
        DefinitionLoader(
            zones: TestZones.shared, sinks: SinkRegistry(StandardSinks.kinds), displayRoot: "config")
    }

    private static func compare(_ text: String, with record: URL) throws {
        if ProcessInfo.processInfo.environment["TMINUS_RECORD"] == "1" { try Data(text.utf8).write(to: record) }
        let expected = try String(decoding: Data(contentsOf: record), as: UTF8.self)
        #expect(text == expected)
    }

    private static func load(_ name: String) throws -> LoadResult {
        let place = Self.directory.appendingPathComponent(name)
        let isFile = name.hasSuffix(".yaml") || name.hasSuffix(".json")
        let paths = isFile ? [name] : try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
        let files = try paths.map { path in
            let url = isFile ? place : place.appendingPathComponent(path)
            return SourceFile(path: path, content: .bytes([UInt8](try Data(contentsOf: url))))
        }
        var loader = Self.loader
        return loader.load(DirectoryContents(root: "/etc/tminus", files: files), now: june)
    }

    @Test("there are golden files")
    func present() {
        #expect(Self.names.count >= 80)
    }

    /// The content in force, in a form that shows every field that differs from its default.
    private static func summary(of result: LoadResult) -> String {
        var lines = ["-- " + result.files.map(\.state.rawValue).joined(separator: " ")]
        for definition in result.set.definitions.values.sorted(by: { $0.id < $1.id }) {
            var parts = ["\(definition.kind.rawValue) \(definition.id)", "'\(definition.name)'", definition.zone.name]
            if let text = definition.description { parts.append("description \(text.debugDescription)") }
            if let color = definition.color { parts.append("color \(color)") }
            if !definition.labels.isEmpty {
                parts.append(definition.labels.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " "))
            }
            if !definition.isEnabled { parts.append("disabled") }
            switch definition.schedule {
            case .event(let event):
                if case .at(let instants, _) = event.trigger {
                    parts.append("at " + instants.map(\.rfc3339).joined(separator: " "))
                } else {
                    parts.append(event.trigger.canonicalText)
                }
                if event.jitter > .zero { parts.append("jitter \(event.jitter)") }
            case .timer(let timer):
                parts.append("\(timer.duration) \(timer.start) \(timer.repetition.rawValue) \(timer.count ?? 0)")
                if timer.clock != .elapsed { parts.append("clock \(timer.clock)") }
            case .stopwatch(let stopwatch):
                parts.append("stopwatch \(stopwatch.start) \(stopwatch.alerts)")
            }
            if definition.catchUp != .standard(for: definition.schedule) {
                parts.append("catch-up \(definition.catchUp)")
            }
            if definition.grace != Lateness.grace { parts.append("grace \(definition.grace)") }
            for reminder in definition.reminders {
                let actions = reminder.actions.map(\.rawValue).joined(separator: " ")
                parts.append("\(reminder.action.rawValue) -> [\(actions)]")
            }
            if definition.kind == .stopwatch {
                parts.append("elapsed -> [\(definition.onElapsed.map(\.rawValue).joined(separator: " "))]")
            }
            parts.append("expiry -> [\(definition.onExpiry.map(\.rawValue).joined(separator: " "))]")
            parts.append("\(definition.origin.line):\(definition.origin.column)")
            lines.append(parts.joined(separator: "\n   "))
        }
        for (key, spec) in result.set.sinks.sorted(by: { $0.key < $1.key }) {
            lines.append("sink \(key) = \(spec.kind) in \(spec.directory)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
