/// A text whose escapes are decoded, and the place in the original from which each of its bytes comes.
struct DecodedText {
    /// The decoded bytes.
    private(set) var bytes: [UInt8] = []
    private var starts: [Int] = []
    private var ends: [Int] = []

    /// The ways to read `bytes`: as they are, percent-encoded, with backslash escapes, and the last in each other way again.
    /// None has line breaks. A way that changes nothing is left out.
    static func readings(of bytes: [UInt8]) -> [DecodedText] {
        let plain = DecodedText(bytes)
        let unescaped = plain.unescaped()
        return [plain, plain.percentDecoded(), unescaped, unescaped?.percentDecoded(), unescaped?.unescaped()]
            .compactMap { $0?.withoutLineBreaks() }
    }

    /// The bytes of the original that a range of ``bytes`` comes from. The range is not empty.
    func source(of range: Range<Int>) -> Range<Int> {
        starts[range.lowerBound]..<max(starts[range.lowerBound], ends[range.upperBound - 1])
    }

    /// `bytes` with percent encoding decoded; nil if there is none.
    static func percentDecoded(_ bytes: [UInt8]) -> [UInt8]? { DecodedText(bytes).percentDecoded()?.bytes }

    private init() {}

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = Array(bytes.indices)
        ends = bytes.indices.map { $0 + 1 }
    }

    private mutating func append(_ byte: UInt8, from range: Range<Int>, of text: DecodedText) {
        bytes.append(byte)
        starts.append(text.starts[range.lowerBound])
        ends.append(text.ends[range.upperBound - 1])
    }

    private func withoutLineBreaks() -> DecodedText {
        guard bytes.contains(where: Self.isLineBreak) else { return self }
        var result = DecodedText()
        for (index, byte) in bytes.enumerated() where !Self.isLineBreak(byte) {
            result.append(byte, from: index..<(index + 1), of: self)
        }
        return result
    }

    // MARK: Percent encoding

    /// With `%XX` (RFC 3986, section 2.1) and `+` for a space decoded; nil if there is neither.
    private func percentDecoded() -> DecodedText? {
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return nil }
        var result = DecodedText()
        var index = 0
        while index < bytes.count {
            var (byte, length) = (bytes[index], 1)
            if byte == UInt8(ascii: "%"), let value = number(index + 1, digits: 2) {
                (byte, length) = (UInt8(truncatingIfNeeded: value), 3)
            } else if byte == UInt8(ascii: "+") {
                byte = UInt8(ascii: " ")
            }
            result.append(byte, from: index..<(index + length), of: self)
            index += length
        }
        return result
    }

    // MARK: Backslash escapes

    /// With the escapes of JSON (RFC 8259, section 7) decoded, and `\xNN`, which other languages have; nil if there is no
    /// backslash. A backslash before another character stands for that character.
    private func unescaped() -> DecodedText? {
        guard bytes.contains(UInt8(ascii: "\\")) else { return nil }
        var result = DecodedText()
        var index = 0
        while index < bytes.count {
            let (decoded, length) = escape(at: index) ?? ([bytes[index]], 1)
            for byte in decoded { result.append(byte, from: index..<(index + length), of: self) }
            index += length
        }
        return result
    }

    /// What an escape stands for, and its length; nil if there is none.
    private func escape(at index: Int) -> (bytes: [UInt8], length: Int)? {
        guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else { return nil }
        switch bytes[index + 1] {
        case UInt8(ascii: "n"): return ([0x0A], 2)
        case UInt8(ascii: "r"): return ([0x0D], 2)
        case UInt8(ascii: "t"): return ([0x09], 2)
        case UInt8(ascii: "b"): return ([0x08], 2)
        case UInt8(ascii: "f"): return ([0x0C], 2)
        case UInt8(ascii: "x"):
            return number(index + 2, digits: 2).map { ([UInt8(truncatingIfNeeded: $0)], 4) }
        case UInt8(ascii: "u"): return unicodeEscape(at: index)
        case let byte: return ([byte], 2)
        }
    }

    private func unicodeEscape(at index: Int) -> (bytes: [UInt8], length: Int)? {
        guard let unit = number(index + 2, digits: 4) else { return nil }
        if let scalar = Unicode.Scalar(unit) { return (Array(String(scalar).utf8), 6) }
        // A surrogate pair.
        guard unit < 0xDC00, index + 7 < bytes.count, bytes[index + 6] == UInt8(ascii: "\\"),
            bytes[index + 7] == UInt8(ascii: "u"), let low = number(index + 8, digits: 4),
            (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { return nil }
        return (Array(String(scalar).utf8), 12)
    }

    /// The number in hexadecimal digits from `start` on; nil if there are fewer digits.
    private func number(_ start: Int, digits: Int) -> UInt32? {
        guard start + digits <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[start..<(start + digits)] {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default: return nil
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
