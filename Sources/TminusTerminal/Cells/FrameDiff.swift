/// Computes the output that turns one frame on a terminal into another.
package enum FrameDiff {
    /// The longest run of unchanged cells that is rewritten. A cursor movement over so few cells takes more bytes.
    private static let shortGap = 4

    /// Returns the output that turns `old` into `new`. A nil `old` means unknown screen content, so the screen is
    /// cleared first. Both frames must come from ``Frame/shown(by:)`` with the same palette. The terminal has the plain
    /// look before and after.
    package static func bytes(from old: Frame?, to new: Frame, _ palette: Palette) -> String {
        var writer = Writer(palette: palette)
        let old = old?.size == new.size ? old : nil
        if old == nil { writer.output = Palette.reset + "\u{1B}[2J" }
        let before = old ?? Frame(new.size)
        for row in 0..<new.size.rows {
            let (was, now) = (before.row(row), new.row(row))
            if was == now { continue }
            for run in runs(Array(was), Array(now)) {
                writer.move(to: row, run.lowerBound)
                for column in run { writer.write(now[now.startIndex + column], at: column) }
            }
        }
        writer.end()
        return writer.output
    }

    /// The column ranges of a row to write, in order.
    private static func runs(_ was: [Cell], _ now: [Cell]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for column in now.indices where was[column] != now[column] || isTorn(was, now, column) {
            // A wide character is written from its first column.
            var start = column
            while start > 0, now[start].text.isEmpty { start -= 1 }
            if let last = runs.last, start <= last.upperBound + shortGap {
                runs[runs.count - 1] = last.lowerBound..<(column + 1)
            } else {
                runs.append(start..<(column + 1))
            }
        }
        return runs
    }

    /// Whether the old row has a wide character in this column that is overwritten in part. Terminals differ in what
    /// they show then, so the whole character is rewritten.
    private static func isTorn(_ was: [Cell], _ now: [Cell], _ column: Int) -> Bool {
        var first = column
        while first > 0, was[first].text.isEmpty { first -= 1 }
        var end = first + 1
        while end < was.count, was[end].text.isEmpty { end += 1 }
        return end - first > 1 && was[first..<end] != now[first..<end]
    }

    private struct Writer {
        let palette: Palette
        var output = ""
        var look = Look.plain
        /// The terminal's cursor position, nil if uncertain.
        var place: (row: Int, column: Int)?

        init(palette: Palette) {
            self.palette = palette
        }

        mutating func move(to row: Int, _ column: Int) {
            if let place, place == (row, column) { return }
            if let place, place.row == row, place.column < column {
                let distance = column - place.column
                output += distance == 1 ? "\u{1B}[C" : "\u{1B}[\(distance)C"
            } else {
                output += column == 0 ? "\u{1B}[\(row + 1)H" : "\u{1B}[\(row + 1);\(column + 1)H"
            }
            place = (row, column)
        }

        mutating func write(_ cell: Cell, at column: Int) {
            guard !cell.text.isEmpty else { return }
            if let row = place?.row ?? lastRow { move(to: row, column) }
            if cell.look != look {
                output += cell.look == .plain ? Palette.reset : palette.sequence(cell.look)
                look = cell.look
            }
            output += cell.text
            lastRow = place?.row
            // Terminals disagree about the width of some characters. The position is certain only after a character
            // that is surely one column wide.
            place = isPlain(cell.text) ? place.map { ($0.row, $0.column + 1) } : nil
        }

        private var lastRow: Int?

        private func isPlain(_ text: String) -> Bool {
            guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1 else { return false }
            return scalar.value < 0x250 || (0x2800...0x28FF).contains(scalar.value)
        }

        mutating func end() {
            if look != .plain { output += Palette.reset }
        }
    }
}
