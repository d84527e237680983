import Testing
import TminusCore

@testable import TminusDefinitions

@Suite("Edits of generated files")
struct GeneratedEditTests {
    private func definitions(_ bytes: [UInt8], _ path: String) -> [DefinitionID: Definition] {
        var loader = DefinitionLoader.test()
        return loader.load([path: String(decoding: bytes, as: UTF8.self)]).set.definitions.mapValues { definition in
            var definition = definition
            definition.origin = SourceLocation(file: path)
            return definition
        }
    }

    private func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0.last == 0x0D ? $0.dropLast() : $0, as: UTF8.self) }
    }

    private func isBlank(_ line: String) -> Bool { line.allSatisfy(\.isWhitespace) }

    /// The lines of `whole` that are missing in `part`, in order; nil if `part` has another line.
    private func missing(in part: [String], of whole: [String]) -> [String]? {
        var rest = part[...]
        var missing: [String] = []
        for line in whole {
            if line == rest.first { rest.removeFirst() } else { missing.append(line) }
        }
        return rest.isEmpty ? missing : nil
    }

    @Test("adding keeps all other bytes and their meaning", arguments: 0..<200)
    func adding(seed: Int) throws {
        let file = GeneratedFile(seed: seed)
        let before = definitions(file.bytes, file.path)
        #expect(before.count >= file.timers.count, "a generated file has an error")
        let edit = DefinitionEdit(.insert(.keys(["name": "An egg", "duration": "6m"])), id: "egg", section: "timers")
        let result = try edit.apply(to: file.bytes, path: file.path).bytes

        // The new text is in one place.
        let head = zip(result, file.bytes).prefix { $0 == $1 }.count
        let tail = zip(result.reversed(), file.bytes.reversed()).prefix { $0 == $1 }.count
        // An empty JSON object is rewritten.
        if !file.isJSON || !file.timers.isEmpty { #expect(head + tail >= file.bytes.count) }

        var after = definitions(result, file.path)
        let id = try #require(DefinitionID("egg"))
        #expect(after.removeValue(forKey: id)?.name == "An egg")
        #expect(after == before)

        // Removing it again restores the file, except for blank lines.
        let back = try DefinitionEdit(.remove, id: "egg", section: "timers").apply(to: result, path: file.path).bytes
        if file.isJSON {
            #expect(
                lines(back).joined().filter { !$0.isWhitespace }
                    == lines(file.bytes).joined().filter { !$0.isWhitespace })
        } else {
            #expect(lines(back).filter { !isBlank($0) } == lines(file.bytes).filter { !isBlank($0) })
        }
    }

    @Test("removing deletes the lines of the definition and no others", arguments: 0..<200)
    func removing(seed: Int) throws {
        let file = GeneratedFile(seed: seed)
        let before = definitions(file.bytes, file.path)
        for timer in file.timers {
            let edit = DefinitionEdit(.remove, id: timer, section: "timers")
            let result = try edit.apply(to: file.bytes, path: file.path).bytes
            var expected = before
            expected[try #require(DefinitionID(timer))] = nil
            #expect(definitions(result, file.path) == expected)

            if file.isJSON {
                func squeezed(_ bytes: [UInt8]) -> String { lines(bytes).joined().filter { !$0.isWhitespace } }
                let without = squeezed(file.bytes(without: timer)).replacing("},}", with: "}}")
                #expect(squeezed(result) == without)
                let missing = missing(in: lines(result).map(bare), of: lines(file.bytes).map(bare))
                #expect(missing != nil || file.timers.count == 1)
            } else {
                // One blank line may disappear as well, never more.
                let wanted = lines(file.bytes(without: timer))
                let extra = try #require(
                    missing(in: lines(result), of: wanted), "\(lines(result)) is not within \(wanted)")
                #expect(extra.count <= 1 && extra.allSatisfy(isBlank), "\(extra)")
            }
        }
    }

    /// A line without a trailing comma.
    private func bare(_ line: String) -> String {
        line.hasSuffix(",") ? String(line.dropLast()) : line
    }
}
