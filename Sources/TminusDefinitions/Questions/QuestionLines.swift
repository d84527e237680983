package import TminusCore

/// Answers questions that come as lines of JSON, each with one line of JSON.
///
/// `{"id": 1, "cron": "30 9 * * *", "tz": "Europe/Berlin", "n": 2}` has the answer `{"id":1,"next":["...","..."]}`, one with
/// `duration` has `{"id":1,"seconds":5400}`, and one that is wrong `{"id":1,"error":"..."}`.
package struct QuestionLines {
    private var decoder: QuestionDecoder

    /// The longest line that is read, in bytes without its end.
    package static let longestLine = 1 << 20

    /// Lines whose zones are those of `zones`.
    package init(zones: any ZoneDatabase) {
        decoder = QuestionDecoder(zones: zones)
    }

    /// The answer to a line, without a line end; nil for a blank line, which has none.
    package mutating func answer(_ line: [UInt8], now: Timestamp) -> [UInt8]? {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
        guard line.count <= Self.longestLine else { return Self.tooLong }
        // Marks of a file make no sense here.
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

    /// The answer to a line that is longer than ``longestLine``.
    package static let tooLong = Array(#"{"id":null,"error":"a line has at most 1048576 bytes"}"#.utf8)

    /// By its end, the reader is that of JSON.
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

    /// The value of `id` as it is written, a number, a text or `null`; `null` if it is anything else, nil if there is none.
    private static func id(in root: Node, _ line: [UInt8]) -> [UInt8]? {
        guard case .mapping(let entries) = root.content else { return Array("null".utf8) }
        guard let value = entries.first(where: { $0.key == "id" })?.value else { return nil }
        guard case .scalar = value.content else { return Array("null".utf8) }
        // Columns count characters: the bytes that begin one.
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
    /// RFC 3339 in UTC, with a fraction only where there is one.
    package var shortRFC3339: String {
        let text = rfc3339
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }
}
