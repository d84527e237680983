/// A picture of dots, eight to a cell, as braille has them. Columns are the unit of length; a row is two of them high.
package struct DotCanvas: Sendable {
    package let columns: Int
    package let rows: Int
    private var dots: [UInt8]
    private var layers: [UInt8]

    /// An empty picture.
    package init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        dots = Array(repeating: 0, count: self.columns * self.rows)
        layers = dots
    }

    /// The bits of a braille cell by row and column (Unicode, Braille Patterns: dots 1 to 3 and 7 on the left, 4 to 6 and 8 right).
    private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    /// The middle of the picture, from its upper left corner.
    package var middle: (x: Double, y: Double) { (Double(columns) / 2, Double(rows)) }

    /// The radius of the largest circle around the middle.
    package var radius: Double { min(Double(columns) / 2, Double(rows)) }

    /// Sets the dots for which there is a layer at their distance right of and below the middle. A cell has the look of the
    /// highest layer in it; that of lower ones is covered.
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

    /// The rows of the picture: braille, or in ASCII the character of the layer; each cell with the look of its layer.
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
