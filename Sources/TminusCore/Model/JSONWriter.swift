/// Appends JSON (RFC 8259) to bytes. Keys appear in the order of the calls. The text is one line without spaces.
///
/// What ``VisibleText`` escapes is escaped, so that a payload shown on a terminal cannot control it.
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
            append(utf8) { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// `json` with the hidden characters in its strings escaped. For the JSON of encoders that leave them as they are.
    package static func escapingHidden(_ json: [UInt8]) -> [UInt8] {
        if json.allSatisfy({ $0 < 0x7F }) { return json }
        var writer = JSONWriter(capacity: json.count + 64)
        json.withUnsafeBufferPointer { utf8 in writer.append(utf8) { _ in false } }
        return writer.bytes
    }

    /// Appends valid UTF-8; escapes hidden characters, and the ASCII characters that `isEscaped` names.
    private mutating func append(_ utf8: UnsafeBufferPointer<UInt8>, escaping isEscaped: (UInt8) -> Bool) {
        // Runs without characters to escape are appended as a whole.
        var start = 0
        var index = 0
        while index < utf8.count {
            if utf8[index] < 0x7F {
                if isEscaped(utf8[index]) {
                    bytes.append(contentsOf: utf8[start..<index])
                    escape(UInt16(utf8[index]))
                    start = index + 1
                }
                index += 1
                continue
            }
            let scalar = VisibleText.scalar(at: index, of: utf8)
            let width = UTF8.width(scalar)
            if VisibleText.isHidden(scalar, at: index, of: utf8) {
                bytes.append(contentsOf: utf8[start..<index])
                for unit in String(scalar).utf16 { escape(unit) }
                start = index + width
            }
            index += width
        }
        if start < utf8.count { bytes.append(contentsOf: utf8[start...]) }
    }

    private mutating func escape(_ unit: UInt16) {
        switch unit {
        case 0x22: raw("\\\"")
        case 0x5C: raw("\\\\")
        case 0x0A: raw("\\n")
        case 0x0D: raw("\\r")
        case 0x09: raw("\\t")
        default:
            raw("\\u")
            for shift: UInt16 in [12, 8, 4, 0] {
                let digit = UInt8(unit >> shift & 15)
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
