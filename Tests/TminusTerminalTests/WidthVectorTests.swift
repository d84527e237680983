import Foundation
import Testing
import TminusTerminal

/// Holds the widths against the character data of Python, which `Golden/write_widths.py` has written down.
@Suite struct WidthVectorTests {
    @Test func eachCharacterTakesTheColumnsOfTheCharacterData() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Golden/widths.txt")
        var (checked, wrong): (Int, [String]) = (0, [])
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            let bounds = parts[0].split(separator: ".").compactMap { UInt32($0, radix: 16) }
            let columns = try #require(Int(parts[1]))
            try #require(bounds.count == 2)
            for scalar in (bounds[0]...bounds[1]).compactMap(Unicode.Scalar.init) {
                // The data may be of a newer Unicode than the standard library. A regional indicator is half a flag.
                guard scalar.properties.generalCategory != .unassigned, !(0x1F1E6...0x1F1FF).contains(scalar.value)
                else { continue }
                checked += 1
                let own = DisplayWidth.of(Character(scalar))
                if own != columns { wrong.append("\(String(scalar.value, radix: 16)): \(own), not \(columns)") }
            }
        }
        #expect(checked > 140_000)
        #expect(wrong.isEmpty, "\(wrong.prefix(20))")
    }
}
