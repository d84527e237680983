import Foundation
import Testing
import TminusCore
import TminusTestKit

@testable import TminusDefinitions

@Suite("hostile input")
struct HostileInputTests {
    private func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: GoldenTests.directory.appendingPathComponent(name)))
    }

    private func load(_ bytes: [UInt8], _ path: String) -> LoadResult {
        var loader = DefinitionLoader.test()
        let file = SourceFile(path: path, content: .bytes(bytes))
        return loader.load(DirectoryContents(root: "/", files: [file]), now: june)
    }

    /// `make fuzz-config` tries every prefix of all valid files.
    @Test("prefixes of valid files are read without a crash, and rendered", arguments: ["valid.yaml", "valid.json"])
    func prefixes(name: String) throws {
        let whole = try bytes(name)
        #expect(load(whole, name).isClean)
        for length in stride(from: 0, to: whole.count, by: 3) {
            let result = load(Array(whole.prefix(length)), name)
            if result.set.definitions.isEmpty, length > 60 {
                #expect(!result.diagnostics.isEmpty || name.hasSuffix("yaml"))
            }
            _ = DiagnosticText.render(result.diagnostics)
        }
    }

    @Test(
        "lists and mappings of any depth are refused in the same words", arguments: ["[", "{a: "], ["a.yaml", "a.json"])
    func depth(piece: String, path: String) {
        let piece = path.hasSuffix("json") ? piece.replacing("a", with: "\"a\"") : piece
        for count in [100, 2_000, 100_000] {
            let result = load(Array(("{\"timers\": " + String(repeating: piece, count: count)).utf8), path)
            #expect(result.diagnostics.map(\.message) == ["nested too deeply, more than 64 levels"], "\(count)")
        }
    }

    /// `make fuzz-config` tries a hundred thousand and more.
    @Test("seeded mutations of all golden files are read without a crash, and rendered")
    func mutations() throws {
        let names = GoldenTests.names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }
        let mutator = ByteMutator(try names.map(bytes))
        for seed in 1...1_500 as ClosedRange<UInt64> {
            let (mutant, source) = mutator.mutant(seed: seed)
            let result = load(mutant, names[source])
            for diagnostic in result.diagnostics {
                let location = diagnostic.location
                #expect(location.line >= 0 && location.column >= 0 && diagnostic.length >= 1, "seed \(seed)")
            }
            _ = DiagnosticText.render(result.diagnostics)
        }
    }

    @Test(
        "large repetitive files neither crash the parser nor take long",
        .timeLimit(.minutes(20)),
        arguments: [
            "a", "a:\n", "- ", "- \n", "? ", "{", "[", "[]", "'", "\"", "&a ", "*a ", "!a ", "# ", "|\n", "%", "--- ",
            "---\n", ": ",
            "{a: ", "[a, ", "\\", "a: b\n", "\t", " ", "\n", "\r", ",", "<<: ", "\"a\": ", "\"a\",", "é",
        ])
    func large(piece: String) {
        let size = 200_000
        for prefix in ["", "timers:\n  ", "timers: {", "{\"timers\": {", "["] {
            let text = prefix + String(repeating: piece, count: size / piece.utf8.count)
            for path in ["a.yaml", "a.json"] {
                let result = load(Array(text.utf8), path)
                _ = DiagnosticText.render(Array(result.diagnostics.prefix(10)))
            }
        }
    }
}
