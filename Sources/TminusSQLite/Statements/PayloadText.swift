import FoundationEssentials
import TminusCore

/// A payload as the column `firing.payload` has it: `1`, then its fields in a fixed order, each as its length in bytes, a colon and
/// its text; `-` for one that is missing.
///
/// JSON takes several times as long to write and to read, which is most of the time that a firing costs. Only a payload
/// with a NUL is JSON, because SQLite ends a text there.
enum PayloadText {
    /// The stored form.
    static func encode(_ payload: Payload) throws -> String {
        var writer = Writer()
        writer.put(payload.id)
        writer.put(payload.kind.rawValue)
        writer.put(payload.name)
        writer.put(payload.description)
        writer.put(String(payload.labels.count))
        for (key, value) in payload.labels.sorted(by: { $0.key < $1.key }) {
            writer.put(key)
            writer.put(value)
        }
        writer.put(payload.due)
        writer.put(payload.timezone)
        writer.put(payload.before.map { String($0.nanoseconds) })
        if let before = payload.before { writer.put(before.text) }
        writer.put(String(payload.remaining.nanoseconds))
        writer.put(payload.remaining.text)
        writer.put(payload.scheduled)
        writer.put(payload.fired)
        writer.put(String(payload.late))
        writer.put(payload.isCatchUp ? "1" : "0")
        writer.put(payload.occurrence)
        writer.put(payload.message)
        writer.put(payload.failure?.delivery)
        if let failure = payload.failure {
            writer.put(failure.action.rawValue)
            writer.put(failure.sink)
            writer.put(failure.reason)
            writer.put(String(failure.attempts))
        }
        writer.put(payload.missed?.reason.rawValue)
        if let missed = payload.missed { writer.put(String(missed.count)) }
        // Most payloads have neither of these.
        if let elapsed = payload.elapsed {
            writer.put(String(elapsed.nanoseconds))
            writer.put(elapsed.text)
        } else if payload.isTest == true {
            writer.put(nil)
        }
        if payload.isTest == true { writer.put("test") }
        if writer.bytes.contains(0) { return String(decoding: try JSONEncoder().encode(payload), as: UTF8.self) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The payload; nil if `text` is none.
    static func decode(_ text: String) -> Payload? {
        if text.utf8.first == UInt8(ascii: "{") {
            return try? JSONDecoder().decode(Payload.self, from: Data(text.utf8))
        }
        var text = text
        return text.withUTF8 { bytes in
            var reader = Reader(bytes)
            return try? payload(&reader)
        }
    }

    private static func payload(_ reader: inout Reader) throws -> Payload {
        let id = try reader.text()
        let kind = try reader.word(DefinitionKind.self)
        let name = try reader.text()
        let description = try reader.optionalText()
        var labels: [String: String] = [:]
        for _ in 0..<max(0, Int(clamping: try reader.number())) { labels[try reader.text()] = try reader.text() }
        let due = try reader.text()
        let timezone = try reader.text()
        let before = try reader.optionalText().map {
            Payload.Amount(nanoseconds: try Reader.number($0), text: try reader.text())
        }
        let remaining = Payload.Amount(nanoseconds: try reader.number(), text: try reader.text())
        let scheduled = try reader.text()
        let fired = try reader.text()
        let late = try reader.number()
        let isCatchUp = try reader.text() == "1"
        let occurrence = try reader.text()
        let message = try reader.text()
        let failure = try reader.optionalText().map {
            Payload.Failure(
                delivery: $0, action: try reader.word(FiringAction.Kind.self), sink: try reader.text(),
                reason: try reader.text(), attempts: Int(clamping: try reader.number()))
        }
        let missed = try reader.optionalText().map {
            Payload.Missed(
                reason: try Reader.word($0, Omission.Reason.self), count: Int(clamping: try reader.number()))
        }
        var elapsed: Payload.Amount?
        var isTest: Bool?
        if !reader.isAtEnd {
            elapsed = try reader.optionalText().map {
                Payload.Amount(nanoseconds: try Reader.number($0), text: try reader.text())
            }
            if elapsed == nil || !reader.isAtEnd {
                guard try reader.text() == "test" else { throw UnreadableRow(what: "a payload") }
                isTest = true
            }
        }
        guard reader.isAtEnd else { throw UnreadableRow(what: "a payload") }
        return Payload(
            id: id, kind: kind, name: name, description: description, labels: labels, due: due, timezone: timezone,
            before: before, remaining: remaining, scheduled: scheduled, fired: fired, late: late, isCatchUp: isCatchUp,
            occurrence: occurrence, message: message, failure: failure, missed: missed,
            elapsed: elapsed, isTest: isTest)
    }
}

private struct Writer {
    var bytes: [UInt8] = [UInt8(ascii: "1")]

    init() { bytes.reserveCapacity(512) }

    mutating func put(_ text: String?) {
        guard var text else { return bytes.append(UInt8(ascii: "-")) }
        text.withUTF8 { characters in
            put(length: characters.count)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(contentsOf: characters)
        }
    }

    private mutating func put(length: Int) {
        if length >= 10 { put(length: length / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(length % 10))
    }
}

private struct Reader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var next = 1

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        if bytes.first != UInt8(ascii: "1") { next = bytes.count + 1 }
    }

    var isAtEnd: Bool { next == bytes.count }

    mutating func optionalText() throws -> String? {
        guard next < bytes.count else { throw UnreadableRow(what: "a payload") }
        if bytes[next] == UInt8(ascii: "-") {
            next += 1
            return nil
        }
        var length = 0
        while next < bytes.count, case let digit = bytes[next], (0x30...0x39).contains(digit), length < 1 << 40 {
            length = length * 10 + Int(digit - 0x30)
            next += 1
        }
        guard next < bytes.count, bytes[next] == UInt8(ascii: ":"), length <= bytes.count - next - 1 else {
            throw UnreadableRow(what: "a payload")
        }
        let start = next + 1
        next = start + length
        return String(decoding: bytes[start..<next], as: UTF8.self)
    }

    mutating func text() throws -> String {
        guard let text = try optionalText() else { throw UnreadableRow(what: "a payload") }
        return text
    }

    mutating func number() throws -> Int64 { try Self.number(try text()) }

    static func number(_ text: String) throws -> Int64 {
        guard let number = Int64(text) else { throw UnreadableRow(what: "a payload") }
        return number
    }

    mutating func word<Word: RawRepresentable>(_ type: Word.Type) throws -> Word where Word.RawValue == String {
        try Self.word(try text(), type)
    }

    static func word<Word: RawRepresentable>(_ text: String, _: Word.Type) throws -> Word
    where Word.RawValue == String {
        guard let word = Word(rawValue: text) else { throw UnreadableRow(what: "a payload") }
        return word
    }
}
