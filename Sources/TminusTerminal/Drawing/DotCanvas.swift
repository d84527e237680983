/// A canvas of dots, eight to a cell as in braille. The unit of length is one column; a row is two units high.
package struct DotCanvas: Sendable {
    /// The width in cells.
    package let columns: Int
    /// The height in cells.
    package let rows: Int
    private var dots: [UInt8]
    private var layers: [UInt8]

    /// Creates an empty canvas.
    package init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        dots = Array(repeating: 0, count: self.columns * self.rows)
        layers = dots
    }

    /// The bits of a braille cell by row and column. Source: Unicode, Braille Patterns; dots 1 to 3 and 7 are left, 4
    /// to 6 and 8 right.
    private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    /// The centre of the canvas, from its upper left corner.
    package var middle: (x: Double, y: Double) { (Double(columns) / 2, Double(rows)) }

    /// The radius of the largest circle around the centre.
    package var radius: Double { min(Double(columns) / 2, Double(rows)) }

    /// Sets each dot for which `layer` returns a value. `x` and `y` are the dot's distance right of and below the
    /// centre. A cell takes the look of the highest layer in it.
    package mutating func draw(_ layer: (_ x: Double, _ y: Double) -> UInt8?) {
        for row in 0..<rows {
            for column in 0..<columns {
                for (dotRow, bits) in Self.bits.enumerated() {
                    for (dotColumn, bit) in bits.enumerated() {
                        let x = Double(column) + (Double(dotColumn) + 0.5) / 2
                        let y = Double(row) * 2 + (Double(dotRow) + 0.5) / 2
                        guard let layer = layer(x - middle.x, y - middle.y) else { continue }
                        let index = row * columns + column
                        dots[index] |= bit
                        layers[index] = max(layers[index], layer)
                    }
                }
            }
        }
    }

    /// Renders the canvas in braille, or in ASCII with the character of each cell's layer. `inks` gives look and
    /// character by layer.
    package func lines(ascii: Bool, _ inks: [(look: Look, character: Character)]) -> [Line] {
        (0..<rows).map { row in
            var line = Line()
            for index in row * columns..<(row + 1) * columns {
                guard dots[index] != 0 else {
                    line.append(" ")
                    continue
                }
                let ink = inks[min(Int(layers[index]), inks.count - 1)]
                let braille = Character(Unicode.Scalar(UInt32(0x2800) + UInt32(dots[index])) ?? " ")
                line.append(String(ascii ? ink.character : braille), ink.look)
            }
            return line
        }
    }
}
