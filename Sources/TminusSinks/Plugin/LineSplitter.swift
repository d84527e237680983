/// Splits a stream into lines of a bounded length.
struct LineSplitter {
    /// A whole line, or the beginning of a line that is too long.
    struct Line: Equatable {
        var bytes: [UInt8]
        var isCut: Bool
    }

    /// The most bytes of a line, without its line break.
    let limit: Int
    private var rest: [UInt8] = []
    /// Whether the current line is too long; its rest is dropped.
    private var isOver = false

    /// A splitter of lines of at most that many bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Returns the lines that end in `piece`, and the beginning of a line as soon as it is too long. An empty piece is the end of the
    /// stream, and returns a last line without a line break.
    mutating func take(_ piece: UnsafeRawBufferPointer) -> [Line] {
        guard !piece.isEmpty else {
            defer { rest = [] }
            return rest.isEmpty ? [] : [Line(bytes: rest, isCut: false)]
        }
        var lines: [Line] = []
        var start = 0
        while start < piece.count {
            let end = piece[start...].firstIndex(of: UInt8(ascii: "\n"))
            let part = piece[start..<(end ?? piece.count)]
            if !isOver {
                rest.append(contentsOf: part.prefix(limit + 1 - rest.count))
                if rest.count > limit {
                    isOver = true
                    lines.append(Line(bytes: Array(rest.prefix(limit)), isCut: true))
                    rest = []
                }
            }
            guard let end else { break }
            if !isOver {
                lines.append(Line(bytes: rest, isCut: false))
                rest = []
            }
            isOver = false
            start = end + 1
        }
        return lines
    }
}
