import TminusCore

/// A position in UTF-8 text that tracks its line and column.
struct SourceCursor {
    /// The text.
    let bytes: ArraySlice<UInt8>
    /// The position in `bytes`.
    private(set) var index: Int
    /// The line and column of the position.
    private(set) var mark = SourceMark(line: 1, column: 1)

    /// Starts at the beginning of `bytes`.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The byte at the position; nil at the end.
    var byte: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    /// The byte `offset` positions further on; nil beyond the end.
    func peek(_ offset: Int) -> UInt8? {
        index + offset < bytes.endIndex ? bytes[index + offset] : nil
    }

    /// Advances by one byte. Columns count Unicode scalars, so continuation bytes do not count.
    mutating func advance() {
        guard index < bytes.endIndex else { return }
        let byte = bytes[index]
        index += 1
        if byte == UInt8(ascii: "\n") {
            mark = SourceMark(line: mark.line + 1, column: 1)
        } else if index == bytes.endIndex || !UTF8.isContinuation(bytes[index]) {
            mark.column += 1
        }
    }

    /// The range of that many characters from the position on.
    func range(characters: Int) -> SourceRange {
        SourceRange(start: mark, end: SourceMark(line: mark.line, column: mark.column + characters))
    }
}
