/// A source line as diagnostics show it, with concealed ranges replaced.
struct ShownLine {
    private static let mark = "(hidden)"

    /// The text.
    let text: String
    /// The replaced parts, in the order of the line: half-open ranges of its columns, from 1.
    private var hidden: [Range<Int>] = []

    /// Creates the line with that number, without the parts that the ranges cover. Ranges that overlap count as one.
    init(_ line: String, number: Int, hiding ranges: [SourceRange]) {
        let touching = ranges.filter { ($0.start.line...$0.end.line).contains(number) }
        guard !touching.isEmpty else {
            text = line
            return
        }
        let scalars = Array(line.unicodeScalars)
        let end = scalars.count + 1
        let columns = touching.map { range in
            let start = range.start.line == number ? min(max(range.start.column, 1), end) : 1
            return start..<max(start, range.end.line == number ? min(range.end.column, end) : end)
        }
        for range in columns.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = hidden.last, range.lowerBound < last.upperBound {
                hidden[hidden.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                hidden.append(range)
            }
        }
        var shown = String.UnicodeScalarView()
        var next = 1
        for range in hidden {
            shown.append(contentsOf: scalars[(next - 1)..<(range.lowerBound - 1)])
            shown.append(contentsOf: Self.mark.unicodeScalars)
            next = range.upperBound
        }
        shown.append(contentsOf: scalars[(next - 1)...])
        text = String(shown)
    }

    /// The parts of addresses in a line that may be secrets: the path and what follows it, and all of one with a user.
    static func secrets(in line: String, number: Int) -> [SourceRange] {
        let scalars = Array(line.unicodeScalars)
        let mark = Array("://".unicodeScalars)
        var ranges: [SourceRange] = []
        var next = 0
        while let found = scalars[next...].firstRange(of: mark) {
            var address = scalars[found.upperBound...].prefix { !$0.properties.isWhitespace && $0 != "'" && $0 != "\"" }
            // The end of a value in flow style.
            while let last = address.last, ",]}".unicodeScalars.contains(last) { address.removeLast() }
            next = address.endIndex
            let path = address.firstIndex { "/?#".unicodeScalars.contains($0) }.map { $0 + 1 } ?? next
            let start = address.contains("@") ? address.startIndex : path
            guard start < next else { continue }
            ranges.append(
                SourceRange(
                    start: SourceMark(line: number, column: start + 1), end: SourceMark(line: number, column: next + 1))
            )
        }
        return ranges
    }

    /// The column in ``text`` of a column of the line. A column inside a hidden part becomes the first one of its mark.
    func column(_ column: Int) -> Int {
        var shift = 0
        for range in hidden {
            if column <= range.lowerBound { break }
            if column < range.upperBound { return range.lowerBound + shift }
            shift += Self.mark.unicodeScalars.count - range.count
        }
        return column + shift
    }
}
