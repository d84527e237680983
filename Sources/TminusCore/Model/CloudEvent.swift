/// The form in which every sink receives a delivery: a CloudEvents 1.0 JSON object (structured mode; CloudEvents JSON
/// Event Format 1.0.2, section 3).
public enum CloudEvent {
    /// The media type of ``json(_:)``.
    public static let contentType = "application/cloudevents+json; charset=utf-8"

    /// The object on one line, without a line break at the end. The keys have a fixed order; labels are sorted.
    ///
    /// A value that a firing does not have (`description`, `before` of an expiry, `elapsed`, `test`, `failure`,
    /// `missed`) is left out.
    public static func json(_ delivery: Delivery) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { members(of: delivery, to: &$0) }
        return writer.bytes
    }

    /// Writes the members of the object, for use as a part of another object.
    package static func members(of delivery: Delivery, to event: inout JSONWriter) {
        event.member("specversion", "1.0")
        event.member("id", delivery.id.rawValue)
        event.member("source", delivery.source)
        event.member("type", delivery.action.eventType)
        event.member("subject", delivery.payload.id)
        event.member("time", delivery.due.rfc3339)
        event.member("datacontenttype", "application/json")
        event.member("data") { write(delivery, to: &$0) }
    }

    /// The beginning of every object. If the last line of a payload file is torn, it begins with a part of this text.
    package static let prefix = Array(#"{"specversion":"1.0","id":""#.utf8)

    private static func write(_ delivery: Delivery, to data: inout JSONWriter) {
        let payload = delivery.payload
        data.member("id", payload.id)
        data.member("kind", payload.kind.rawValue)
        data.member("name", payload.name)
        if let description = payload.description { data.member("description", description) }
        data.member("labels") { labels in
            for (key, value) in payload.labels.sorted(by: { $0.key < $1.key }) {
                labels.member(userKey: key, value)
            }
        }
        data.member("due", payload.due)
        data.member("timezone", payload.timezone)
        if let before = payload.before { data.member("before") { write(before, to: &$0) } }
        data.member("remaining") { write(payload.remaining, to: &$0) }
        if let elapsed = payload.elapsed { data.member("elapsed") { write(elapsed, to: &$0) } }
        data.member("scheduled", payload.scheduled.rfc3339)
        data.member("fired", payload.fired.rfc3339)
        data.member("late", secondsOf: payload.late)
        data.member("catch-up", payload.isCatchUp)
        data.member("attempt", delivery.attempt)
        data.member("occurrence", payload.occurrence.rfc3339)
        data.member("message", payload.message)
        if payload.isTest == true { data.member("test", true) }
        if let failure = payload.failure {
            data.member("failure") { object in
                object.member("delivery", failure.delivery)
                object.member("action", failure.action.rawValue)
                object.member("sink", failure.sink)
                object.member("reason", ReasonCode(failure.reason).rawValue)
                object.member("message", failure.reason)
                object.member("attempts", failure.attempts)
            }
        }
        if let missed = payload.missed {
            data.member("missed") { object in
                object.member("reason", missed.reason.rawValue)
                object.member("count", missed.count)
            }
        }
    }

    private static func write(_ amount: Payload.Amount, to object: inout JSONWriter) {
        object.member("seconds", secondsOf: amount.nanoseconds)
        object.member("text", amount.text)
    }
}
