import TminusCore

/// The text of a file, indexed by lines, so that marks of a document can be converted to byte offsets.
struct EditableText {
    /// The bytes without a byte order mark.
    let bytes: [UInt8]
    /// The byte order mark, or empty.
    let mark: ArraySlice<UInt8>
    /// The line break: CR LF if the first line ends with it, else LF.
    let lineEnd: String
    /// The offset of each line; the last line may be empty.
    private let starts: [Int]

    init(_ file: [UInt8]) {
        let hasMark = file.starts(with: [0xEF, 0xBB, 0xBF])
        mark = file.prefix(hasMark ? 3 : 0)
        bytes = Array(file.dropFirst(hasMark ? 3 : 0))
        var starts = [0]
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { starts.append(index + 1) }
        self.starts = starts
        lineEnd = starts.count > 1 && starts[1] > 1 && bytes[starts[1] - 2] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    /// The number of lines, including the text after the last line break.
    var lineCount: Int { starts.count }

    /// The offset of a line; the end of the text if there is no such line.
    func start(ofLine line: Int) -> Int { line <= starts.count ? starts[line - 1] : bytes.count }

    /// A line without its line break.
    func line(_ line: Int) -> ArraySlice<UInt8> {
        var content = bytes[start(ofLine: line)..<start(ofLine: line + 1)]
        if content.last == UInt8(ascii: "\n") { content.removeLast() }
        if content.last == UInt8(ascii: "\r") { content.removeLast() }
        return content
    }

    /// The offset of a mark.
    func offset(_ mark: SourceMark) -> Int {
        var offset = start(ofLine: mark.line)
        for _ in 1..<max(1, mark.column) where offset < bytes.count {
            repeat { offset += 1 } while offset < bytes.count && UTF8.isContinuation(bytes[offset])
        }
        return offset
    }

    /// Whether a line contains blanks only.
    func isBlank(_ line: Int) -> Bool { self.line(line).allSatisfy(Self.isBlank) }

    /// The column, from 1, of a comment on a line of its own; nil for any other line.
    func commentColumn(_ line: Int) -> Int? {
        let content = self.line(line)
        guard let index = content.firstIndex(where: { !Self.isBlank($0) }), content[index] == UInt8(ascii: "#") else {
            return nil
        }
        return index - content.startIndex + 1
    }

    /// The blanks at the start of a line.
    func indentation(ofLine line: Int) -> String {
        String(decoding: self.line(line).prefix(while: Self.isBlank), as: UTF8.self)
    }

    /// Whether only blanks precede a mark in its line.
    func isFirst(at mark: SourceMark) -> Bool {
        bytes[start(ofLine: mark.line)..<offset(mark)].allSatisfy(Self.isBlank)
    }

    /// The first offset from `offset` on that is not a blank.
    func skipBlanks(from offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count, Self.isBlank(bytes[offset]) { offset += 1 }
        return offset
    }

    /// Whether the rest of the line is empty or a comment.
    func isRestOfLineEmpty(from offset: Int) -> Bool {
        let next = skipBlanks(from: offset)
        guard next < bytes.count else { return true }
        // A `#` directly after other text is part of it.
        return bytes[next] == UInt8(ascii: "\n") || bytes[next] == UInt8(ascii: "\r")
            || bytes[next] == UInt8(ascii: "#") && next > offset
    }

    /// The text with the changes, which must not overlap.
    func applying(_ changes: [TextChange]) -> [UInt8] {
        var result = Array(mark)
        var place = 0
        for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += bytes[place..<change.range.lowerBound]
            result += Array(change.text.utf8)
            place = change.range.upperBound
        }
        return result + bytes[place...]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

/// A range of bytes and its replacement.
struct TextChange {
    var range: Range<Int>
    var text: String

    init(_ range: Range<Int>, _ text: String = "") {
        (self.range, self.text) = (range, text)
    }

    /// Creates an insertion.
    init(at offset: Int, _ text: String) {
        self.init(offset..<offset, text)
    }
}
