import Foundation
import Testing
import TminusCore

@testable import TminusDefinitions

/// One file in `Golden/` for each rule, or a directory of files, and beside it what a person reads about it.
///
/// `TMINUS_RECORD=1` writes the expectations anew.
@Suite("golden diagnostics")
struct GoldenTests {
    static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")

    static let names: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return all.filter { !$0.hasSuffix(".txt") }.sorted()
    }()

    @Test("each file gives the recorded diagnostics and definitions", arguments: names)
    func golden(name: String) throws {
        let place = Self.directory.appendingPathComponent(name)
        let isFile = name.hasSuffix(".yaml") || name.hasSuffix(".json")
        let paths = isFile ? [name] : try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
        let files = try paths.map { path in
            let url = isFile ? place : place.appendingPathComponent(path)
            return SourceFile(path: path, content: .bytes([UInt8](try Data(contentsOf: url))))
        }
        var loader = DefinitionLoader.test()
        let result = loader.load(DirectoryContents(root: "/etc/tminus", files: files), now: june)
        let text = DiagnosticText.render(result.diagnostics) + Self.summary(of: result)
        let record = Self.directory.appendingPathComponent(name + ".txt")
        if ProcessInfo.processInfo.environment["TMINUS_RECORD"] == "1" {
            try Data(text.utf8).write(to: record)
        }
        let expected = try String(decoding: Data(contentsOf: record), as: UTF8.self)
        #expect(text == expected)
    }

    @Test("there are golden files")
    func present() {
        #expect(Self.names.count >= 40)
    }

    /// What is in force, in a form that shows each field that is not left to its default.
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
                if case .at(let instants) = event.trigger {
                    parts.append("at " + instants.map(\.rfc3339).joined(separator: " "))
                }
            case .timer(let timer):
                parts.append("\(timer.duration) \(timer.start) \(timer.repetition.rawValue) \(timer.count ?? 0)")
            }
            for reminder in definition.reminders {
                let actions = reminder.actions.map(\.rawValue).joined(separator: " ")
                parts.append("\(reminder.action.rawValue) -> [\(actions)]")
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
