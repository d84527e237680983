import Testing
import TminusCore
import TminusTestKit

@testable import TminusDefinitions

/// Compares a loader that decodes each file right after parsing it, as in large directories, with one that parses all
/// files first.
@Suite("files decoded ahead of the others")
struct AheadTests {
    @Test("random edits give the same result as parsing all files first", arguments: 0..<12 as Range<UInt64>)
    func randomEdits(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var ahead = DefinitionLoader.test()
        ahead.aheadLimit = 0
        var plain = DefinitionLoader.test()
        plain.aheadLimit = .max
        var files: [String: String] = [:]
        for step in 0..<40 {
            for _ in 0...random.below(3) {
                let path = ["a.yaml", "b.yaml", "c.json", "sub/d.yaml", "tminus.yaml", "z.yaml"][random.below(6)]
                files[path] = random.below(8) == 0 ? nil : text(of: path, &random)
            }
            let result = ahead.load(files)
            let expected = plain.load(files)
            try #require(result.set == expected.set, "step \(step): \(files)")
            try #require(result.files == expected.files, "step \(step): \(files)")
            try #require(result.diagnostics == expected.diagnostics, "step \(step): \(files)")
            try #require(result.hash == expected.hash)
            try #require(result.changed == expected.changed, "step \(step)")
        }
    }

    @Test("if one edit removes a sink and names it in another file, the last good content stays in force")
    func residue() {
        var ahead = DefinitionLoader.test()
        ahead.aheadLimit = 0
        _ = ahead.load(["a.yaml": "timers: { a: { duration: 1m } }", "z.yaml": "sinks: { chat: { shell: x } }"])
        let result = ahead.load([
            "a.yaml": "timers: { a: { duration: 2m, on-expiry: chat } }", "z.yaml": "timers: { z: { duration: 1m } }",
        ])
        #expect(result.state("a.yaml") == .stale)
        #expect(result.definition("a")?.schedule == .timer(Timer(duration: .seconds(60))))
    }

    @Test("each file is parsed once, except for those that wait for a sink of another file")
    func parses() {
        var ahead = DefinitionLoader.test()
        ahead.aheadLimit = 0
        let result = ahead.load([
            "a.yaml": "timers: { a: { duration: 1m, on-expiry: chat } }", "b.yaml": "timers: { b: { duration: 1m } }",
            "sinks.yaml": "sinks: { chat: { shell: x } }", "tminus.yaml": "defaults: { on-failure: chat }",
        ])
        #expect(result.isClean && result.ids == ["a", "b"])
        #expect(result.definition("b")?.onFailure == [SinkKey("chat")])
        #expect(ahead.parsedFiles == 4)
    }

    private func text(of path: String, _ random: inout SeededRandom) -> String {
        let sink = "s\(random.below(3))"
        if path.hasSuffix("json") {
            // A spelling that the search for the word does not find.
            return [
                #"{"timers": {"c": {"duration": "1m"}}}"#, #"{"\u0073inks": {"\#(sink)": {"shell": "true"}}}"#,
                #"{"timers": {"c": {"duration": "1m", "on-expiry": "\#(sink)"}}}"#, #"{"timers": "#,
            ][random.below(4)]
        }
        var lines = ["timers:", "  \(path.prefix(1))-1: { duration: \(1 + random.below(2))m }"]
        switch random.below(8) {
        case 0: lines.append("  shared: { duration: 1m }")
        case 1: lines.append("  \(path.prefix(1))-bad: { duration: soon }")
        case 2: lines += ["sinks: { \(sink): { shell: 'true' } }"]
        case 3: lines += ["sinks: { \(sink): { shell: } }"]
        case 4, 5: lines.append("  \(path.prefix(1))-named: { duration: 1m, on-expiry: \(sink) }")
        case 6: lines += ["defaults: { on-failure: [\(sink), stdout] }"]
        default: lines += ["defaults: { labels: { of: '\(random.below(2))' } }"]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
