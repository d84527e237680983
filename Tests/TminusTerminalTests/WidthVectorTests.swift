import Foundation
import Testing
import TminusTerminal

/// Compares the widths with Python's Unicode data, recorded by `scripts/write-widths`.
@Suite struct WidthVectorTests {
    @Test func widthsMatchTheUnicodeData() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Golden/widths.txt")
        var (checked, wrong): (Int, [String]) = (0, [])
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            let bounds = parts[0].split(separator: ".").compactMap { UInt32($0, radix: 16) }
            let columns = try #require(Int(parts[1]))
            try #require(bounds.count == 2)
            for scalar in (bounds[0]...bounds[1]).compactMap(Unicode.Scalar.init) {
                // Skip scalars the standard library does not know yet, because the data may be newer, and regional
                // indicators, which are half a flag.
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
