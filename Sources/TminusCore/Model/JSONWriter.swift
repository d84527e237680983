/// Appends JSON (RFC 8259) to bytes. Keys appear in the order of the calls. The text is one line without spaces.
///
/// Control characters, DEL and the control characters of Latin-1 (U+0080 to U+009F) are escaped, so that a payload
/// shown on a terminal cannot control it.
package struct JSONWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// An empty writer with room for that many bytes.
    package init(capacity: Int = 1024) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes an object as the next value.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Writes an array of objects, each on a line, with a line break at the end. Without `opens` or `closes` it writes
    /// a part of such an array.
    package mutating func lines<Element>(
        of elements: some Sequence<Element>, opens: Bool = true, closes: Bool = true,
        _ members: (inout JSONWriter, Element) -> Void
    ) {
        if opens { bytes.append(UInt8(ascii: "[")) }
        var isFirst = opens
        for element in elements {
            raw(isFirst ? "\n" : ",\n")
            isFirst = false
            object { members(&$0, element) }
        }
        if closes { raw(isFirst ? "]\n" : "\n]\n") }
    }

    /// Writes a member with an object.
    package mutating func member(_ key: StaticString, _ members: (inout JSONWriter) -> Void) {
        name(key)
        object(members)
    }

    /// Writes a member with a text.
    package mutating func member(_ key: StaticString, _ text: String) {
        name(key)
        string(text)
    }

    /// Writes a member with a key from a user.
    package mutating func member(userKey key: String, _ text: String) {
        separate()
        string(key)
        bytes.append(UInt8(ascii: ":"))
        string(text)
    }

    /// Writes a member with a key from a user and an object.
    package mutating func member(userKey key: String, _ members: (inout JSONWriter) -> Void) {
        separate()
        string(key)
        bytes.append(UInt8(ascii: ":"))
        object(members)
    }

    /// Writes a member with a truth value.
    package mutating func member(_ key: StaticString, _ value: Bool) {
        name(key)
        raw(value ? "true" : "false")
    }

    /// Writes a member with an integer.
    package mutating func member(_ key: StaticString, _ value: Int) {
        name(key)
        raw(String(value))
    }

    /// Writes a member with null.
    package mutating func member(null key: StaticString) {
        name(key)
        raw("null")
    }

    /// Writes a member whose value is JSON already.
    package mutating func member(_ key: StaticString, json: some Sequence<UInt8>) {
        name(key)
        bytes.append(contentsOf: json)
    }

    /// Writes a member with a number of seconds, given in nanoseconds.
    package mutating func member(_ key: StaticString, secondsOf nanoseconds: Int64) {
        name(key)
        raw(DecimalSeconds.text(nanoseconds))
    }

    /// Writes a member with a list of objects.
    package mutating func member<Element>(
        _ key: StaticString, objects elements: some Sequence<Element>,
        _ members: (inout JSONWriter, Element) -> Void
    ) {
        list(key, elements) { writer, element in writer.object { members(&$0, element) } }
    }

    /// Writes a member with a list of texts.
    package mutating func member(_ key: StaticString, texts: some Sequence<String>) {
        list(key, texts) { $0.string($1) }
    }

    private mutating func list<Element>(
        _ key: StaticString, _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
    ) {
        name(key)
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        for element in elements {
            separate()
            write(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// `text` as it appears between the quotes of a JSON string.
    package static func escaped(_ text: String) -> String {
        var writer = JSONWriter(capacity: text.utf8.count + 16)
        writer.string(text)
        return String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func name(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            // Runs without characters to escape are appended as a whole.
            var start = 0
            for index in utf8.indices {
                let byte = utf8[index]
                let isLatin1Control =
                    byte == 0xC2 && index + 1 < utf8.count && (0x80...0x9F).contains(utf8[index + 1])
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || isLatin1Control else { continue }
                bytes.append(contentsOf: utf8[start..<index])
                start = index + (isLatin1Control ? 2 : 1)
                escape(isLatin1Control ? utf8[index + 1] : byte)
            }
            bytes.append(contentsOf: utf8[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22: raw("\\\"")
        case 0x5C: raw("\\\\")
        case 0x0A: raw("\\n")
        case 0x0D: raw("\\r")
        case 0x09: raw("\\t")
        default:
            raw("\\u00")
            for digit in [byte >> 4, byte & 15] {
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }
}

/// Nanoseconds as an exact decimal number of seconds.
package enum DecimalSeconds {
    /// `90`, `0.25`, `-1.000000001`: without an exponent, without trailing zeros.
    package static func text(_ nanoseconds: Int64) -> String {
        let magnitude = nanoseconds.magnitude
        let (whole, fraction) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        let text = (nanoseconds < 0 ? "-" : "") + String(whole)
        guard fraction > 0 else { return text }
        var (rest, width) = (fraction, 9)
        while rest.isMultiple(of: 10) { (rest, width) = (rest / 10, width - 1) }
        let digits = String(rest)
        return text + "." + String(repeating: "0", count: width - digits.utf8.count) + digits
    }
}
