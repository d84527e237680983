package import TminusCore

/// Answers questions, each a line of JSON, with one line of JSON each.
///
/// The answer to `{"id": 1, "cron": "30 9 * * *", "tz": "Europe/Berlin", "n": 2}` is `{"id":1,"next":["...","..."]}`. A
/// question with `duration` gets `{"id":1,"seconds":5400}`, an invalid one `{"id":1,"error":"..."}`.
package struct QuestionLines {
    private var decoder: QuestionDecoder

    /// The maximum length of a line in bytes, without its line break.
    package static let longestLine = 1 << 20

    /// Creates an answerer that uses these zones.
    package init(zones: any ZoneDatabase) {
        decoder = QuestionDecoder(zones: zones)
    }

    /// The answer to a line, without a line break; nil for a blank line.
    package mutating func answer(_ line: [UInt8], now: Timestamp) -> [UInt8]? {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
        guard line.count <= Self.longestLine else { return Self.tooLong }
        // The path only selects the JSON parser; positions in a file are not shown.
        let read = DocumentReader.read(line, path: Self.name)
        var writer = JSONWriter(capacity: 256)
        guard let root = read.root, !read.diagnostics.hasErrors else {
            let message = read.diagnostics.firstError?.replacing("the file", with: "the line") ?? ""
            writer.object { object in
                object.member(null: "id")
                object.member("error", "not JSON: \(message)")
            }
            return writer.bytes
        }
        let id = Self.id(in: root, line)
        let question = decoder.decode(root, now: now, read.diagnostics)
        writer.object { object in
            if let id { object.member("id", json: id) }
            let leads = question?.leads ?? []
            switch question?.subject {
            case .trigger where leads.count > 1: object.member("error", "'before' must be a single value, not a list")
            case .trigger(let trigger):
                object.member("next", texts: Self.instants(trigger, question, leads.first, now: now))
            case .duration(let duration): object.member("seconds", secondsOf: duration.nanoseconds)
            case nil: object.member("error", read.diagnostics.firstError ?? "not a question")
            }
        }
        return writer.bytes
    }

    /// The answer to a line longer than ``longestLine``.
    package static let tooLong = Array(#"{"id":null,"error":"a line has at most 1048576 bytes"}"#.utf8)

    /// The extension selects the JSON parser.
    private static let name = "line.json"

    private static func instants(_ trigger: Trigger, _ question: RuleQuestion?, _ lead: CalendarSpan?, now: Timestamp)
        -> [String]
    {
        guard let question else { return [] }
        var texts: [String] = []
        var last = question.start(now: now)
        while texts.count < question.limit, let next = trigger.next(after: last) {
            texts.append((lead.map { question.zone.instant($0, .before, of: next) } ?? next).shortRFC3339)
            last = next
        }
        return texts
    }

    /// The value of `id` as written (a number, a text or `null`); `null` if it is anything else, nil if it is absent.
    private static func id(in root: Node, _ line: [UInt8]) -> [UInt8]? {
        guard case .mapping(let entries) = root.content else { return Array("null".utf8) }
        guard let value = entries.first(where: { $0.key == "id" })?.value else { return nil }
        guard case .scalar = value.content else { return Array("null".utf8) }
        // Columns count characters, so only bytes that start one are counted.
        var column = value.range.start.line == 1 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? -1 : 0
        var written: [UInt8] = []
        for byte in line {
            if !UTF8.isContinuation(byte) { column += 1 }
            if column >= value.range.end.column { break }
            if column >= value.range.start.column { written.append(byte) }
        }
        return written
    }
}

extension DiagnosticBag {
    /// The message of the first error.
    fileprivate var firstError: String? { diagnostics.first { $0.severity == .error }?.message }
}

extension Timestamp {
    /// RFC 3339 in UTC, with a fraction only if it is not zero.
    package var shortRFC3339: String {
        let text = rfc3339
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }
}
