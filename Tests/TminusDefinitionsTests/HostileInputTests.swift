import Foundation
import Testing
import TminusCore

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

    @Test(
        "every prefix of a valid file is read without a crash, and rendered", arguments: ["valid.yaml", "valid.json"])
    func prefixes(name: String) throws {
        let whole = try bytes(name)
        #expect(load(whole, name).isClean)
        for length in 0..<whole.count {
            let result = load(Array(whole.prefix(length)), name)
            if result.set.definitions.isEmpty, length > 60 {
                #expect(!result.diagnostics.isEmpty || name.hasSuffix("yaml"))
            }
            _ = DiagnosticText.render(result.diagnostics)
        }
    }

    @Test("mutations of valid files are read without a crash", arguments: ["valid.yaml", "valid.json", "anchors.yaml"])
    func mutations(name: String) throws {
        let whole = try bytes(name)
        var random = SplitMix(state: 2_026)
        let spice = Array("[]{}:,-#&*!|>'\"%@`?\\ \t\n\r\0<~0aé\u{2028}\u{FEFF}".utf8) + [0xFF, 0xC3, 0x80]
        for _ in 0..<1_500 {
            var mutant = whole
            for _ in 0...Int(random.next() % 4) {
                let place = Int(random.next() % UInt64(max(1, mutant.count)))
                switch random.next() % 4 {
                case 0: mutant.insert(spice[Int(random.next() % UInt64(spice.count))], at: place)
                case 1: if place < mutant.count { mutant.remove(at: place) }
                case 2: if place < mutant.count { mutant[place] = spice[Int(random.next() % UInt64(spice.count))] }
                default:
                    let end = min(mutant.count, place + Int(random.next() % 40))
                    mutant.insert(contentsOf: mutant[place..<end], at: place)
                }
            }
            let result = load(mutant, name)
            for diagnostic in result.diagnostics {
                #expect(diagnostic.location.line >= 0 && diagnostic.location.column >= 0 && diagnostic.length >= 1)
            }
            _ = DiagnosticText.render(result.diagnostics)
        }
    }

    @Test(
        "large files that are nothing but one thing over and over are no crash and take no time to speak of",
        .timeLimit(.minutes(1)),
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

/// A seeded generator (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
