import Foundation
import Testing
import TminusCore

@testable import TminusDefinitions

/// The output of `tminus diff` for `old.yaml` and `new.yaml` in `Comparisons/`. `TMINUS_RECORD=1` records it again.
@Suite("golden comparison")
struct ComparisonGoldenTests {
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Comparisons")

    private func comparison() throws -> SetComparison {
        func set(_ name: String) throws -> DefinitionSet {
            let text = try String(contentsOf: Self.directory.appendingPathComponent(name), encoding: .utf8)
            var loader = DefinitionLoader.test()
            let result = loader.load(["a.yaml": text])
            #expect(result.isClean)
            return result.set
        }
        return SetComparison(
            from: try set("old.yaml"), to: try set("new.yaml"), states: [], now: june, limit: 4)
    }

    private func check(_ text: String, against name: String) throws {
        let record = Self.directory.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["TMINUS_RECORD"] == "1" { try Data(text.utf8).write(to: record) }
        #expect(try text == String(contentsOf: record, encoding: .utf8))
    }

    @Test("for people")
    func text() throws {
        try check(ComparisonText.render(comparison()), against: "diff.txt")
    }

    @Test("for programs: valid JSON with the same content")
    func json() throws {
        let text = try ComparisonJSON.render(comparison(), now: june)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let pretty = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
        try check(String(decoding: pretty, as: UTF8.self) + "\n", against: "diff.json")
    }

    @Test("without differences it is one line")
    func none() throws {
        let same = SetComparison(from: DefinitionSet(), to: DefinitionSet(), states: [], now: june, limit: 5)
        #expect(ComparisonText.render(same) == "no difference, 0 unchanged\n")
    }
}
