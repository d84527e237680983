public import TminusCore

/// Deliveries for the tests of sinks.
public enum Deliveries {
    /// Text that breaks what is quoted or counted carelessly.
    public static let oddText =
        "a \"quote\" \\ 'it''s' $(false) `x` %s\n\tsecond line\r\u{1}\u{7F}\u{85}\u{2028} 🎉 e\u{301} ﷽ </a>"

    /// A reminder; another number gives another occurrence and so another id.
    public static func one(
        number: Int = 0, text: String = "Product launch", sink: String = "sink", attempt: Int = 1
    ) -> Delivery {
        let occurrence = Timestamp(seconds: 1_796_112_000 + Int64(clamping: number))
        let lead = CalendarSpan(days: 1)
        let due = occurrence.advanced(by: .seconds(-86_400))
        guard let definition = DefinitionID("launch") else { preconditionFailure("'launch' is an id") }
        return Delivery(
            id: DeliveryID(
                definition: definition, occurrence: occurrence, action: .reminder(lead, .before), sink: SinkKey(sink)),
            definition: definition, occurrence: occurrence, action: .reminder, sink: SinkKey(sink),
            due: due, attempt: attempt, source: "/tminus/test",
            payload: Payload(
                id: definition.rawValue, kind: .event, name: text, description: text,
                labels: ["team": text, "odd key ": text],
                due: "2026-12-01T09:00:00+01:00", timezone: "Europe/Berlin",
                before: .init(nanoseconds: 86_400_000_000_000, text: "1 day"),
                remaining: .init(nanoseconds: 86_399_998_468_000, text: "1 day"), scheduled: due,
                fired: due.advanced(by: .nanoseconds(1_532_000)), late: 1_532_000, isCatchUp: false,
                occurrence: occurrence, message: "\(text) in 1 day"))
    }
}

/// The parts of a payload that a conforming sink hands on unchanged.
struct ArrivedPayload: Decodable, Equatable {
    struct Content: Decodable, Equatable {
        var id: String
        var name: String
        var description: String?
        var labels: [String: String]
        var attempt: Int
        var message: String
    }

    var specversion: String
    var id: String
    var source: String
    var type: String
    var subject: String
    var data: Content

    init(_ delivery: Delivery) {
        specversion = "1.0"
        id = delivery.id.rawValue
        source = delivery.source
        type = delivery.action.eventType
        subject = delivery.payload.id
        data = Content(
            id: delivery.payload.id, name: delivery.payload.name, description: delivery.payload.description,
            labels: delivery.payload.labels, attempt: delivery.attempt, message: delivery.payload.message)
    }
}
