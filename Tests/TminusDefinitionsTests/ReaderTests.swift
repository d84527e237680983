import Testing
import TminusCore

@testable import TminusDefinitions

@Suite("document reader")
struct ReaderTests {
    private func read(_ text: String, _ path: String = "a.yaml") -> DocumentReader.Result {
        DocumentReader.read(Array(text.utf8), path: path)
    }

    private func value(_ text: String, _ path: String = "a.yaml") -> Node.Content? {
        guard case .mapping(let entries)? = read(text, path).root?.content else { return nil }
        return entries.first?.value.content
    }

    @Test(
        "scalars keep their text, whatever it looks like",
        arguments: [
            ("k: no", "no"), ("k: 012", "012"), ("k: 1:30:00", "1:30:00"), ("k: ~", "~"), ("k: null", "null"),
            ("k: ''", ""), ("k: \"\"", ""), ("k: 'it''s'", "it's"), ("k: |\n  a\n  b\n", "a\nb\n"),
            ("k: >-\n  a\n  b\n", "a b"),
            ("k: a # b", "a"), ("k: 2026-12-01", "2026-12-01"), ("k: .inf", ".inf"), ("k: 0x10", "0x10"),
            ("k: \"\\u00e9\\x41\"", "éA"), ("k: a #", "a"), ("k: \"&a *b !c <<\"", "&a *b !c <<"),
        ])
    func scalars(text: String, expected: String) {
        #expect(value(text) == .scalar(expected))
        #expect(read(text).diagnostics.diagnostics.isEmpty)
    }

    @Test("a YAML key without a value is null", arguments: ["k:", "k: # x", "{ k: }", "{ k }"])
    func absent(text: String) {
        #expect(value(text) == .null)
    }

    @Test(
        "JSON scalars are text as written",
        arguments: [
            ("{\"k\": 1.50}", "1.50"), ("{\"k\": true}", "true"), ("{\"k\": -0e+3}", "-0e+3"),
            ("{\"k\": \"\\ud83d\\ude00\\/\\n\"}", "😀/\n"), ("{\"k\": \"\"}", ""), ("\u{FEFF}{\"k\": \"null\"}", "null"),
        ])
    func json(text: String, expected: String) {
        #expect(value(text, "a.json") == .scalar(expected))
        #expect(read(text, "a.json").diagnostics.diagnostics.isEmpty)
    }

    @Test(
        "an invalid JSON number is an error",
        arguments: ["01", "1.", ".5", "+1", "1e", "0x1", "--1", "NaN", "Infinity", "1_0"])
    func numbers(text: String) {
        #expect(read("{\"k\": \(text)}", "a.json").diagnostics.hasErrors)
    }

    @Test("ranges cover the text of keys and values, columns count scalars", arguments: ["a.yaml", "a.json"])
    func ranges(path: String) {
        guard case .mapping(let entries)? = read("{\"né\": \"😀\", \"b\": [1, 22]}", path).root?.content else {
            Issue.record("no mapping")
            return
        }
        #expect(entries.map(\.keyRange.start.column) == [2, 13])
        #expect(entries.map(\.keyRange.end.column) == [6, 16])
        #expect(entries.map(\.value.range.start.column) == [8, 18])
        #expect(entries.map(\.value.range.end.column) == [11, 25])
    }

    @Test("64 levels are read, 65 are an error, 100,000 do not crash", arguments: ["a.yaml", "a.json"])
    func depth(path: String) {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(!read(nested(64), path).diagnostics.hasErrors)
        #expect(read(nested(66), path).diagnostics.hasErrors)
        #expect(read(String(repeating: "[", count: 100_000), path).diagnostics.diagnostics.count == 1)
        #expect(read(String(repeating: "{\"a\":", count: 100_000), path).diagnostics.hasErrors)
        #expect(read(String(repeating: "- ", count: 100_000), path).diagnostics.hasErrors)
    }

    @Test("an alias bomb costs only its text")
    func bomb() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...60 {
            text +=
                "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ") + "]\n"
        }
        #expect(read(text).diagnostics.diagnostics.count == 61 + 540)
    }

    @Test("problems beyond a thousand are only counted")
    func flood() {
        let text = "timers:\n" + (0..<3000).map { "  t\($0): {}\n" }.joined()
        var loader = DefinitionLoader.test()
        let result = loader.load(["a.yaml": text])
        #expect(result.diagnostics.count == 1001)
        #expect(result.messages.contains("and 2000 more problems"))
    }

    @Test(
        "invalid UTF-8 is reported at its position",
        arguments: [
            [0xC3], [0xC3, 0x28], [0xA9], [0xC3, 0xA9, 0xA9], [0xE2, 0x82], [0xED, 0xA0, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
            [0xC0, 0x80], [0xFF],
        ] as [[UInt8]])
    func encoding(bytes: [UInt8]) {
        for path in ["a.yaml", "a.json"] {
            let result = DocumentReader.read(Array("{\n".utf8) + bytes + Array("}".utf8), path: path)
            #expect(result.diagnostics.diagnostics.map(\.message) == ["not valid UTF-8; save the file as UTF-8"])
            #expect(result.diagnostics.diagnostics.first?.location.line == 2)
        }
    }

    @Test("a lone CR does not shift the following lines")
    func carriageReturn() {
        let result = read("a: \"x\ry\"\nb: 1\nb: 2\n")
        #expect(result.diagnostics.diagnostics.first?.location.line == 3)
    }
}
