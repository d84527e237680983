/// How many columns and rows there are.
package struct ScreenSize: Sendable, Hashable {
    package var columns: Int
    package var rows: Int

    /// At least one of each.
    package init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}

/// One column of one row of a screen.
package struct Cell: Sendable, Hashable {
    /// What stands there; empty in the later columns of a wide character.
    package var text: String
    package var look: Look

    /// Nothing to be seen.
    package static let blank = Cell(text: " ", look: .plain)
}

/// What a screen shows, cell by cell.
package struct Frame: Sendable, Hashable {
    /// Its size.
    package let size: ScreenSize
    package private(set) var cells: [Cell]

    /// A screen with nothing on it.
    package init(_ size: ScreenSize) {
        self.size = size
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    /// The cells of one row.
    package func row(_ row: Int) -> ArraySlice<Cell> { cells[row * size.columns..<(row + 1) * size.columns] }

    /// Puts a line there; what does not fit is left out.
    package mutating func put(_ line: Line, row: Int, column: Int = 0, width: Int? = nil) {
        guard (0..<size.rows).contains(row), column >= 0 else { return }
        let end = min(size.columns, width.map { column + max(0, $0) } ?? size.columns)
        var column = column
        for span in line.spans {
            for character in span.text {
                let columns = DisplayWidth.of(character)
                // A mark without a letter to stand on has no cell of its own.
                guard columns > 0 else { continue }
                guard column + columns <= end else { return }
                set(Cell(text: String(character), look: span.look), columns, row * size.columns + column)
                column += columns
            }
        }
    }

    /// Sets the columns of a character, and blanks what is left of wide ones that it covers in part.
    private mutating func set(_ cell: Cell, _ columns: Int, _ index: Int) {
        var start = index
        while cells[start].text.isEmpty {
            start -= 1
            cells[start].text = cells[start].text.isEmpty ? "" : " "
        }
        var end = index + columns
        while end < cells.count, cells[end].text.isEmpty {
            cells[end].text = " "
            end += 1
        }
        for index in start..<index { cells[index].text = " " }
        cells[index] = cell
        for index in index + 1..<max(index + 1, index + columns) { cells[index] = Cell(text: "", look: cell.look) }
    }

    /// The same with every look as the terminal can show it.
    package func shown(by palette: Palette) -> Frame {
        var frame = self
        for index in frame.cells.indices where frame.cells[index].look != .plain {
            frame.cells[index].look = palette.shown(frame.cells[index].look)
        }
        return frame
    }

    /// Its rows as text, as ``Line/text(_:)``.
    package func text(_ palette: Palette) -> [String] {
        (0..<size.rows).map { number in
            var line = Line()
            for cell in row(number) { line.append(cell.text, cell.look) }
            return line.text(palette)
        }
    }
}
