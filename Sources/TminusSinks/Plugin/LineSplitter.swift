/// Splits a stream into lines of a bounded length.
struct LineSplitter {
    /// The most that a line may have, in bytes, without its end.
    let limit: Int
    private var rest: [UInt8] = []
    /// Whether the line that comes in is over the limit: the rest of it is dropped.
    private var isOver = false

    /// For lines of at most that many bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// One line: whole, or the beginning of one that is too long.
    struct Line: Equatable {
        var bytes: [UInt8]
        var isCut: Bool
    }

    /// The lines that end in `piece`, and at once the beginning of one that has become too long.
    mutating func take(_ piece: UnsafeRawBufferPointer) -> [Line] {
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

    /// The last line, if the stream ended without a line break.
    mutating func end() -> Line? {
        defer { rest = [] }
        return rest.isEmpty ? nil : Line(bytes: rest, isCut: false)
    }
}
