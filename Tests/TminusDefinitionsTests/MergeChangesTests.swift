import Testing
import TminusCore
import TminusTestKit

@testable import TminusDefinitions

/// Compares a loader that applies only the changes of an edit with one that merges all files each time.
@Suite("incremental merges")
struct MergeChangesTests {
    @Test("random edits give the same result as merging all files", arguments: 0..<9 as Range<UInt64>)
    func randomEdits(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var quick = DefinitionLoader.test()
        var plain = DefinitionLoader.test()
        var files: [String: String] = [:]
        var last = DefinitionSet()
        var taken = 0
        for step in 0..<40 {
            for _ in 0...random.below(2) {
                let path = "f\(random.below(5)).yaml"
                files[path] = random.below(8) == 0 ? nil : text(of: path, isOdd: seed % 3 == 0, &random)
            }
            let result = quick.load(files)
            plain.mergesAnew = true
            let expected = plain.load(files)
            try #require(result.set == expected.set, "step \(step): \(files)")
            try #require(result.files == expected.files, "step \(step)")
            try #require(result.diagnostics == expected.diagnostics, "step \(step)")
            try #require(result.hash == expected.hash)
            if let changed = result.changed {
                taken += 1
                let ids = Set(last.definitions.keys).union(result.set.definitions.keys)
                try #require(
                    changed == ids.filter { last.definitions[$0] != result.set.definitions[$0] }, "step \(step)")
            }
            last = result.set
        }
        // In a directory with odd files, no edit may be simple.
        #expect(taken > 0 || seed % 3 == 0)
    }

    /// Some definitions; with `isOdd`, also ids of other files, sinks, errors and defaults.
    private func text(of path: String, isOdd: Bool, _ random: inout SeededRandom) -> String {
        var lines = ["timers:"]
        for id in 0...random.below(4) {
            let action = ["", ", on-expiry: stdout", ", on-expiry: { shell: 'echo \(random.below(3))' }"][
                random.below(3)]
            lines.append("  \(path.prefix(2))-\(id): { duration: \(1 + random.below(3))m\(action) }")
        }
        if isOdd {
            switch random.below(6) {
            case 0: lines.append("  shared: { duration: 1m }")
            case 1: lines.append("  \(path.prefix(2))-bad: { duration: soon }")
            case 2: lines += ["sinks: { s\(random.below(2)): { shell: 'true' } }"]
            case 3: lines.append("  \(path.prefix(2))-named: { duration: 1m, on-expiry: s\(random.below(2)) }")
            default: break
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
