/// A terminal emulator for the sequences the live view uses. It keeps the content of the screen.
struct TerminalEmulator {
    /// The content of each cell, with its look.
    private(set) var cells: [[String]]
    private var row = 0
    private var column = 0
    private var look = ""
    /// The width in cells.
    let columns: Int
    /// The height in cells.
    let rows: Int
    /// The input it does not understand.
    private(set) var misunderstood: [String] = []

    /// Creates a terminal filled with `@`, so unwritten cells are noticed.
    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: Array(repeating: "@", count: columns), count: rows)
    }

    /// Processes output. `width` returns the columns of a character, because terminals differ.
    mutating func write(_ text: String, width: (Character) -> Int) {
        var rest = Substring(text)
        while let character = rest.first {
            if character == "\u{1B}" {
                guard let end = rest.dropFirst(2).firstIndex(where: { $0.isLetter }) else {
                    misunderstood.append(String(rest))
                    return
                }
                control(String(rest[..<end].dropFirst(2)), rest[end], in: String(rest[...end]))
                rest = rest[rest.index(after: end)...]
            } else {
                put(character, width(character))
                rest.removeFirst()
            }
        }
    }

    private mutating func put(_ character: Character, _ width: Int) {
        guard width > 0, row < rows, column + width <= columns else {
            misunderstood.append("'\(character)' at \(row), \(column)")
            return
        }
        cells[row][column] = look + String(character)
        for offset in 1..<max(1, width) { cells[row][column + offset] = look }
        column += width
    }

    private mutating func control(_ parameters: String, _ final: Character, in text: String) {
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        switch final {
        case "H": (row, column) = ((numbers.first ?? 1) - 1, (numbers.dropFirst().first ?? 1) - 1)
        case "C": column += numbers.first ?? 1
        case "J" where parameters == "2":
            cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        case "m": look = parameters == "0" ? "" : "<\(parameters)>"
        default: misunderstood.append(text)
        }
    }

    /// Whether the current look is plain.
    var isPlain: Bool { look.isEmpty }
}
