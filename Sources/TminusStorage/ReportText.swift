import FoundationEssentials
package import TminusCore

/// A report in the form of the columns `delivery.report` and `attempt.report`: the same JSON as `JSONEncoder` writes
/// for a ``DeliveryReport``, with the names of the properties as keys.
///
/// It is written for every command and every request. For the few numbers that a report usually has, `JSONEncoder`
/// takes ten times as long.
package enum ReportText {
    /// The stored form; nil for an empty report.
    package static func encode(_ report: DeliveryReport) -> String? {
        guard report != .empty else { return nil }
        var writer = JSONWriter()
        writer.object { object in
            if let status = report.exitStatus { object.member("exitStatus", status) }
            if let signal = report.signal { object.member("signal", signal) }
            if let status = report.httpStatus { object.member("httpStatus", status) }
            if let output = report.output { object.member("output") { write(output, to: &$0) } }
            if let errors = report.errors { object.member("errors") { write(errors, to: &$0) } }
            if let body = report.body { object.member("body") { write(body, to: &$0) } }
            if let note = report.note { object.member("note") { write(note, to: &$0) } }
            if let machine = report.machine { object.member("machine", machine) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The report; an empty one if `text` is invalid.
    package static func decode(_ text: String) -> DeliveryReport {
        (try? JSONDecoder().decode(DeliveryReport.self, from: Data(text.utf8))) ?? .empty
    }

    private static func write(_ excerpt: DeliveryReport.Excerpt, to object: inout JSONWriter) {
        object.member("text", excerpt.text)
        object.member("isCutAtStart", excerpt.isCutAtStart)
        object.member("isCutAtEnd", excerpt.isCutAtEnd)
    }
}
