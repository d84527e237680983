import Testing
import TminusCore

@testable import TminusDefinitions

@Suite("Scalars in files")
struct ScalarTextTests {
    @Test(
        "text with hidden characters is written escaped in YAML and JSON, and read back unchanged",
        arguments: [
            "a\u{202E}b", "a\u{2028}\u{2029}b", "tag \u{E0041}\u{E007F}", "it's \"a\" \\ \u{F0000}\u{378}\u{1B}[m",
            "👩\u{200D}🚀 pay\u{200D}pal",
            "a\u{200D}b \"",
        ])
    func hidden(text: String) throws {
        for (written, file) in [
            (ScalarText.yaml(text, under: "name", inFlow: false), "a.yaml"),
            (ScalarText.yaml(text, under: "name", inFlow: true), "a.yaml"),
            (ScalarText.json(text, under: "name"), "a.json"),
        ] {
            #expect(VisibleText.escaped(written) == written, "\(written)")
            let read = DocumentReader.read(
                Array((file == "a.json" ? "{\"name\": \(written)}" : "name: \(written)\n").utf8), path: file)
            guard case .mapping(let entries)? = read.root?.content, entries.count == 1 else {
                Issue.record("\(written): \(read)")
                continue
            }
            #expect(entries[0].value.content == .scalar(text), "\(written)")
        }
    }
}
