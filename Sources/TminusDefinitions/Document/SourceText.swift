import TminusCore

/// The text of a file, with its encoding checked and a byte order mark removed.
struct SourceText {
    /// UTF-8 without a byte order mark.
    let bytes: ArraySlice<UInt8>
    /// The same as a string; invalid UTF-8 is replaced.
    let text: String
    private let isUTF16: Bool

    /// Creates the text of a file with these bytes.
    init(_ bytes: [UInt8]) {
        isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        text = isUTF16 ? "" : String(decoding: self.bytes, as: UTF8.self)
    }

    /// Whether the text can be parsed; reports the first obstacle.
    func isReadable(asJSON: Bool, reporting diagnostics: DiagnosticBag) -> Bool {
        if isUTF16 {
            diagnostics.error("the file is UTF-16, save it as UTF-8", at: .none)
            return false
        }
        var cursor = SourceCursor(bytes)
        while let byte = cursor.byte {
            var width = 1
            var problem: String?
            if byte < 0x80 {
                problem = Self.problem(ascii: byte, asJSON: asJSON)
            } else if let scalar = scalar(at: cursor.index) {
                width = UTF8.width(scalar)
                problem = asJSON ? nil : Self.problem(scalar)
            } else {
                problem = "not valid UTF-8; save the file as UTF-8"
            }
            if let problem {
                diagnostics.error(problem, at: cursor.range(characters: 1))
                return false
            }
            for _ in 0..<width { cursor.advance() }
        }
        return true
    }

    private static func problem(ascii byte: UInt8, asJSON: Bool) -> String? {
        switch byte {
        case 0: "a NUL byte; the file is not text or was cut off while it was written"
        case 0x09, 0x0A, 0x0D, 0x20...0x7E: nil
        // In JSON, strings may contain DEL, and the reader reports the other control characters itself.
        default: asJSON ? nil : "the control character \(Self.name(of: UInt32(byte))) is not allowed"
        }
    }

    private static func problem(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x85, 0x2028, 0x2029:
            // YAML 1.1 ends a line here; YAML 1.2 and editors do not.
            "the invisible line separator \(name(of: scalar.value)) is not allowed, use an ordinary line end"
        case 0x80...0x9F, 0xFEFF, 0xFFFE, 0xFFFF:
            "the invisible character \(name(of: scalar.value)) is not allowed, remove it"
        default: nil
        }
    }

    /// The scalar at `index`; nil if it is not valid UTF-8 (RFC 3629).
    private func scalar(at index: Int) -> Unicode.Scalar? {
        var iterator = bytes[index..<min(index + 4, bytes.endIndex)].makeIterator()
        var decoder = UTF8()
        if case .scalarValue(let scalar) = decoder.decode(&iterator) { return scalar }
        return nil
    }

    private static func name(of value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
