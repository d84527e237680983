import TminusCore

/// A place in UTF-8 text that knows its line and column as it moves.
struct SourceCursor {
    /// The text.
    let bytes: ArraySlice<UInt8>
    /// The place in `bytes`.
    private(set) var index: Int
    /// Line and column of the place.
    private(set) var mark = SourceMark(line: 1, column: 1)

    /// At the start of `bytes`.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The byte at the place; nil at the end.
    var byte: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    /// The byte `offset` places on; nil behind the end.
    func peek(_ offset: Int) -> UInt8? {
        index + offset < bytes.endIndex ? bytes[index + offset] : nil
    }

    /// Moves one byte on. Columns count Unicode scalars: only the first byte of each one counts.
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

    /// That many characters from the place on.
    func range(characters: Int) -> SourceRange {
        SourceRange(start: mark, end: SourceMark(line: mark.line, column: mark.column + characters))
    }
}
