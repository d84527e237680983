/// Damages files and messages: bytes go, come, change, and pieces of others are put in.
package struct ByteMutator: Sendable {
    private static let spice = Array("[]{}:,-#&*!|>'\"%@`?\\ \t\n\r\0<~0aé\u{2028}\u{FEFF}".utf8) + [0xFF, 0xC3, 0x80]
    /// Words that lead the parsers of definition files into corners.
    package static let definitionWords = [
        "\n  ", "---\n", "...\n", "? ", "- ", ": ", "<<: ", "*a", "&a ", "!!str ", "{ ", "[ ", "| \n", ">-\n", "null",
        "true",
        "99999999999999999999", "1:30:00", "P1Y", "2026-02-30", "\\ud83d", "timers:\n", "remind: ", "{ shell: x }",
    ]

    private let files: [[UInt8]]
    private let words: [[UInt8]]

    /// A mutator that changes these files, at least one, and inserts these words.
    package init(_ files: [[UInt8]], words: [String] = Self.definitionWords) {
        self.files = files
        self.words = words.map { Array($0.utf8) }
    }

    /// The damaged file of that seed, and the index of the file that it was made from.
    package func mutant(seed: UInt64) -> (bytes: [UInt8], source: Int) {
        var random = SeededRandom(seed)
        let source = random.below(files.count)
        var bytes = files[source]
        for _ in 0...random.below(6) { damage(&bytes, &random) }
        return (bytes, source)
    }

    private func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let place = random.below(bytes.count + 1)
        switch random.below(9) {
        case 0: bytes.insert(Self.spice[random.below(Self.spice.count)], at: place)
        case 1: if place < bytes.count { bytes.remove(at: place) }
        case 2: if place < bytes.count { bytes[place] = Self.spice[random.below(Self.spice.count)] }
        case 3: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.below(8)) }
        case 4: bytes.insert(contentsOf: words[random.below(words.count)], at: place)
        case 5: bytes.removeSubrange(place..<min(bytes.count, place + random.below(60)))
        case 6: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + random.below(80))], at: place)
        case 7:
            let other = files[random.below(files.count)]
            let start = random.below(other.count)
            bytes.insert(contentsOf: other[start..<min(other.count, start + random.below(120))], at: place)
        default:
            let piece = words[random.below(words.count)]
            for _ in 0..<random.below(200) { bytes.insert(contentsOf: piece, at: place) }
        }
    }
}
