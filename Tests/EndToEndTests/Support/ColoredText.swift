/// Parses rows of a terminal into characters with their looks, independent of how the sequences were written.
enum ColoredText {
    /// A character and its SGR codes, sorted.
    struct Piece: Equatable, CustomStringConvertible {
        /// The character.
        var character: Character
        /// The SGR codes.
        var codes: [Int]

        /// The character and its codes.
        var description: String { "\(character)\(codes)" }
    }

    /// Returns the pieces of each row. A look continues in the next row; trailing plain spaces are dropped.
    static func pieces(_ rows: [String]) -> [[Piece]] {
        var codes: [Int] = []
        return rows.map { pieces($0, &codes) }
    }

    private static func pieces(_ row: String, _ codes: inout [Int]) -> [Piece] {
        var (pieces, rest) = ([Piece](), Substring(row))
        while let character = rest.first {
            if character == "\u{1B}", let end = rest.firstIndex(of: "m") {
                for number in rest[..<end].dropFirst(2).split(separator: ";").map({ Int($0) ?? 0 }) {
                    codes = change(codes, number)
                }
                rest = rest[rest.index(after: end)...]
            } else if character == "\u{1B}" || character == "\u{0E}" || character == "\u{0F}" {
                rest.removeFirst(character == "\u{1B}" ? 3 : 1)
            } else {
                // The text colour of a space is invisible unless reversed.
                pieces.append(
                    Piece(character: character, codes: character == " " && !codes.contains(7) ? [] : codes.sorted()))
                rest.removeFirst()
            }
        }
        while pieces.last == Piece(character: " ", codes: []) { pieces.removeLast() }
        return pieces
    }

    private static func change(_ codes: [Int], _ number: Int) -> [Int] {
        switch number {
        case 0: []
        case 39: codes.filter { $0 < 30 }
        case 49: codes
        case 30...37, 90...97: codes.filter { $0 < 30 } + [number]
        case 22: codes.filter { $0 != 1 }
        case 27: codes.filter { $0 != 7 }
        default: codes.contains(number) ? codes : codes + [number]
        }
    }
}
