/// The size of a screen in character cells.
package struct ScreenSize: Sendable, Hashable {
    /// The number of columns.
    package var columns: Int
    /// The number of rows.
    package var rows: Int

    /// Creates a size of at least one column and one row.
    package init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}

/// One character cell of a screen.
package struct Cell: Sendable, Hashable {
    /// The character in the cell. Empty in the second and later columns of a wide character.
    package var text: String
    /// The look of the character.
    package var look: Look

    /// An empty cell.
    package static let blank = Cell(text: " ", look: .plain)
}

/// The content of a screen, cell by cell.
package struct Frame: Sendable, Hashable {
    /// The size of the screen.
    package let size: ScreenSize
    /// The cells, row by row.
    package private(set) var cells: [Cell]

    /// Creates an empty screen.
    package init(_ size: ScreenSize) {
        self.size = size
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    /// The cells of one row.
    package func row(_ row: Int) -> ArraySlice<Cell> { cells[row * size.columns..<(row + 1) * size.columns] }

    /// Writes a line at a position. Drops whatever does not fit into the row or `width`.
    package mutating func put(_ line: Line, row: Int, column: Int = 0, width: Int? = nil) {
        guard (0..<size.rows).contains(row), column >= 0 else { return }
        let end = min(size.columns, width.map { column + max(0, $0) } ?? size.columns)
        var column = column
        for span in line.spans {
            for character in span.text {
                let columns = DisplayWidth.of(character)
                // A combining mark without a base character has no cell of its own.
                guard columns > 0 else { continue }
                guard column + columns <= end else { return }
                set(Cell(text: String(character), look: span.look), columns, row * size.columns + column)
                column += columns
            }
        }
    }

    /// Sets the cells of a character and blanks the rest of wide characters that it covers in part.
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

    /// Returns the frame with each look reduced to what the terminal can show.
    package func shown(by palette: Palette) -> Frame {
        var frame = self
        for index in frame.cells.indices where frame.cells[index].look != .plain {
            frame.cells[index].look = palette.shown(frame.cells[index].look)
        }
        return frame
    }

    /// Renders the rows as text with escape sequences, as ``Line/text(_:)`` does.
    package func text(_ palette: Palette) -> [String] {
        (0..<size.rows).map { number in
            var line = Line()
            for cell in row(number) { line.append(cell.text, cell.look) }
            return line.text(palette)
        }
    }
}
