import TminusCore

/// Parses RFC 8259. Unambiguous mistakes, such as a trailing comma, are reported and skipped, so that one run shows
/// them all.
struct JSONReader {
    /// Ends the parsing after an error that was reported.
    struct Stop: Error {}

    var cursor: SourceCursor
    let diagnostics: DiagnosticBag

    /// Creates a reader of `bytes`, which must be valid UTF-8.
    init(_ bytes: ArraySlice<UInt8>, diagnostics: DiagnosticBag) {
        cursor = SourceCursor(bytes)
        self.diagnostics = diagnostics
    }

    /// The document; nil if the syntax is invalid.
    mutating func read() -> Node? {
        do throws(Stop) {
            try skipBlanks()
            if cursor.byte == nil { throw stop("the file is empty, write at least {}") }
            let root = try value(depth: 0)
            try skipBlanks()
            if cursor.byte != nil { throw stop("nothing may follow the end of the document") }
            return root
        } catch {
            return nil
        }
    }

    private mutating func value(depth: Int) throws(Stop) -> Node {
        guard depth <= DocumentReader.depthLimit else {
            throw stop(DocumentReader.tooDeep)
        }
        let start = cursor.mark
        switch cursor.byte {
        case nil: throw stop("the file ends where a value is expected")
        case UInt8(ascii: "{"):
            cursor.advance()
            return try object(from: start, depth: depth)
        case UInt8(ascii: "["):
            cursor.advance()
            return try array(from: start, depth: depth)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let text = try string()
            return Node(.scalar(text), range: range(from: start))
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
            throw stop("a value is expected here")
        default: return word()
        }
    }

    private mutating func object(from start: SourceMark, depth: Int) throws(Stop) -> Node {
        var entries: [Node.Entry] = []
        var places: [String: SourceRange] = [:]
        while try hasItem(before: UInt8(ascii: "}"), from: start, isFirst: entries.isEmpty && places.isEmpty) {
            let keyStart = cursor.mark
            let name = try key()
            let place = range(from: keyStart)
            try skipBlanks()
            guard cursor.byte == UInt8(ascii: ":") else { throw stop("a ':' is expected behind the key '\(name)'") }
            cursor.advance()
            try skipBlanks()
            let value = try value(depth: depth + 1)
            if let first = places[name] {
                diagnostics.error(
                    "the key '\(name)' is here for the second time", at: place,
                    notes: [diagnostics.diagnostic(.note, "the first is here", at: first)])
            } else {
                places[name] = place
                entries.append(Node.Entry(key: name, keyRange: place, value: value))
            }
        }
        return Node(.mapping(entries), range: range(from: start))
    }

    private mutating func array(from start: SourceMark, depth: Int) throws(Stop) -> Node {
        var items: [Node] = []
        while try hasItem(before: UInt8(ascii: "]"), from: start, isFirst: items.isEmpty) {
            items.append(try value(depth: depth + 1))
        }
        return Node(.sequence(items), range: range(from: start))
    }

    /// Advances to the next item, over the comma before it. Returns false when it reads `close` instead.
    private mutating func hasItem(before close: UInt8, from start: SourceMark, isFirst: Bool) throws(Stop) -> Bool {
        try skipBlanks()
        let name = Character(Unicode.Scalar(close))
        guard let byte = cursor.byte else {
            let opening = SourceRange(
                start: start, end: SourceMark(line: start.line, column: start.column + 1))
            throw stop(
                "the file ends, but the '\(close == UInt8(ascii: "}") ? "{" : "[")' in line \(start.line) is not closed",
                notes: [diagnostics.diagnostic(.note, "it opens here", at: opening)])
        }
        if byte == close {
            cursor.advance()
            return false
        }
        if isFirst { return true }
        guard byte == UInt8(ascii: ",") else {
            // If an item begins here, only the comma is missing.
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                diagnostics.error("a ',' is missing before this", at: cursor.range(characters: 1))
                return true
            }
            throw stop("a ',' or '\(name)' is expected here")
        }
        let comma = cursor.range(characters: 1)
        cursor.advance()
        try skipBlanks()
        if cursor.byte == close {
            diagnostics.error("a ',' may not stand before '\(name)', remove it", at: comma)
            cursor.advance()
            return false
        }
        return true
    }

    private mutating func key() throws(Stop) -> String {
        let start = cursor.mark
        switch cursor.byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string()
        case let byte? where Self.isWordByte(byte):
            let name = takeWord()
            diagnostics.error("a key needs double quotes: \"\(name)\"", at: range(from: start))
            return name
        default: throw stop("a key in double quotes is expected here")
        }
    }

    /// Reads a number, `true`, `false` or `null`. All but `null` are kept as text.
    private mutating func word() -> Node {
        let start = cursor.mark
        let text = takeWord()
        if text.isEmpty {
            // Any other character: report it and skip it.
            let scalar = cursor.range(characters: 1)
            diagnostics.error("text needs double quotes", at: scalar)
            repeat { cursor.advance() } while cursor.byte.map(UTF8.isContinuation) == true
            while let byte = cursor.byte, !Self.isDelimiter(byte) { cursor.advance() }
        } else if text == "null" {
            return Node(.null, range: range(from: start))
        } else if text != "true", text != "false", !JSONNumber.isValid(text) {
            let isNumber = text.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
            diagnostics.error(
                isNumber || text.hasPrefix("-") || text.hasPrefix("+") || text.hasPrefix(".")
                    ? "'\(text)' is not a number in JSON; put it in double quotes"
                    : "text needs double quotes: \"\(text)\"", at: range(from: start))
        }
        return Node(.scalar(text), range: range(from: start))
    }

    private mutating func takeWord() -> String {
        let start = cursor.index
        while let byte = cursor.byte, Self.isWordByte(byte) { cursor.advance() }
        return String(decoding: cursor.bytes[start..<cursor.index], as: UTF8.self)
    }

    private mutating func skipBlanks() throws(Stop) {
        while let byte = cursor.byte {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: cursor.advance()
            case UInt8(ascii: "/") where cursor.peek(1) == UInt8(ascii: "/"), UInt8(ascii: "#"):
                reportComment()
                while let next = cursor.byte, next != 0x0A { cursor.advance() }
            case UInt8(ascii: "/") where cursor.peek(1) == UInt8(ascii: "*"):
                reportComment()
                cursor.advance()
                repeat {
                    cursor.advance()
                    if cursor.byte == nil { throw stop("the comment is not closed") }
                } while !(cursor.byte == UInt8(ascii: "*") && cursor.peek(1) == UInt8(ascii: "/"))
                cursor.advance()
                cursor.advance()
            default: return
            }
        }
    }

    private func reportComment() {
        diagnostics.error(
            "JSON has no comments; remove it, or name the file .yaml", at: cursor.range(characters: 1))
    }

    /// Reports an error at the cursor that ends the parsing.
    func stop(_ message: String, notes: [Diagnostic] = []) -> Stop {
        diagnostics.error(message, at: cursor.range(characters: 1), notes: notes)
        return Stop()
    }

    private func range(from start: SourceMark) -> SourceRange {
        SourceRange(start: start, end: cursor.mark)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte <= 0x20 || ",:[]{}\"".utf8.contains(byte)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// Numbers of RFC 8259, section 6.
enum JSONNumber {
    /// Whether `text` is a valid number.
    static func isValid(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { $0 >= 0x30 && $0 <= 0x39 } ?? false }
        func takeDigits() -> Bool {
            guard isDigit(rest.first) else { return false }
            while isDigit(rest.first) { rest.removeFirst() }
            return true
        }
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        if rest.first == UInt8(ascii: "0") { rest.removeFirst() } else if !takeDigits() { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            if !takeDigits() { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            if !takeDigits() { return false }
        }
        return rest.isEmpty
    }
}
