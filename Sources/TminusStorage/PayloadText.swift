import FoundationEssentials
package import TminusCore

/// A payload in the form of the column `firing.payload`: `1`, then its fields in a fixed order. Each is its length in
/// bytes, a colon and its text; `-` for a missing one.
///
/// Writing and reading JSON takes several times as long, and would be most of the cost of a firing. Only a payload that
/// contains a NUL is JSON, because SQLite ends a text there.
package enum PayloadText {
    /// The stored form.
    package static func encode(_ payload: Payload) throws -> String {
        var writer = Writer()
        writer.put(payload.id)
        writer.put(payload.kind.rawValue)
        writer.put(payload.name)
        writer.put(payload.description)
        writer.put(payload.labels)
        writer.put(payload.due)
        writer.put(payload.timezone)
        writer.put(payload.before)
        writer.put(payload.remaining)
        writer.put(payload.scheduled.nanoseconds)
        writer.put(payload.fired.nanoseconds)
        writer.put(payload.late)
        writer.put(payload.isCatchUp ? 1 : 0)
        writer.put(payload.occurrence.nanoseconds)
        writer.put(payload.message)
        writer.put(payload.failure?.delivery)
        if let failure = payload.failure {
            writer.put(failure.action.rawValue)
            writer.put(failure.sink)
            writer.put(failure.reason)
            writer.put(Int64(failure.attempts))
        }
        writer.put(payload.missed?.reason.rawValue)
        if let missed = payload.missed { writer.put(Int64(missed.count)) }
        writer.put(payload.elapsed)
        writer.put(payload.isTest.map { $0 ? 1 : 0 })
        writer.put(payload.messageBeforeRemaining)
        if writer.bytes.contains(0) { return String(decoding: try JSONEncoder().encode(payload), as: UTF8.self) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The payload; nil if `text` is invalid.
    package static func decode(_ text: String) -> Payload? {
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
        var payload = Payload(
            id: try reader.text(), kind: try reader.word(DefinitionKind.self), name: try reader.text(),
            description: try reader.optionalText(), labels: try reader.labels(), due: try reader.text(),
            timezone: try reader.text(), before: try reader.optionalAmount(), remaining: try reader.amount(),
            scheduled: try reader.instant(), fired: try reader.instant(), late: try reader.number(),
            isCatchUp: try reader.number() == 1, occurrence: try reader.instant(), message: try reader.text(),
            failure: try reader.optionalFailure(), missed: try reader.optionalMissed(),
            elapsed: try reader.optionalAmount(), isTest: try reader.optionalNumber().map { $0 == 1 })
        payload.messageBeforeRemaining = try reader.optionalText()
        guard reader.isAtEnd else { throw UnreadableRow(what: "a payload") }
        return payload
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

    mutating func put(_ number: Int64?) { put(number.map { String($0) }) }

    mutating func put(_ labels: [String: String]) {
        put(Int64(labels.count))
        for (key, value) in labels.sorted(by: { $0.key < $1.key }) {
            put(key)
            put(value)
        }
    }

    mutating func put(_ amount: Payload.Amount?) {
        put(amount?.nanoseconds)
        if let amount { put(amount.text) }
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

    mutating func optionalNumber() throws -> Int64? {
        try optionalText().map { text in
            guard let number = Int64(text) else { throw UnreadableRow(what: "a payload") }
            return number
        }
    }

    mutating func number() throws -> Int64 {
        guard let number = try optionalNumber() else { throw UnreadableRow(what: "a payload") }
        return number
    }

    mutating func optionalAmount() throws -> Payload.Amount? {
        try optionalNumber().map { Payload.Amount(nanoseconds: $0, text: try text()) }
    }

    mutating func amount() throws -> Payload.Amount {
        guard let amount = try optionalAmount() else { throw UnreadableRow(what: "a payload") }
        return amount
    }

    mutating func instant() throws -> Timestamp { Timestamp(nanoseconds: try number()) }

    mutating func labels() throws -> [String: String] {
        var labels: [String: String] = [:]
        for _ in 0..<max(0, Int(clamping: try number())) { labels[try text()] = try text() }
        return labels
    }

    mutating func optionalFailure() throws -> Payload.Failure? {
        try optionalText().map { delivery in
            Payload.Failure(
                delivery: delivery, action: try word(FiringAction.Kind.self), sink: try text(), reason: try text(),
                attempts: Int(clamping: try number()))
        }
    }

    mutating func optionalMissed() throws -> Payload.Missed? {
        try optionalText().map { reason in
            Payload.Missed(reason: try Self.word(reason, Omission.Reason.self), count: Int(clamping: try number()))
        }
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
