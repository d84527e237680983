import Foundation

/// A CloudEvent as a sink received it.
struct Event {
    /// The delivery's id.
    var id: String
    /// The event type.
    var type: String
    /// The definition's id.
    var subject: String
    /// When the action was due.
    var time: String
    /// The `data` with sorted keys, so equal data gives equal text.
    var data: String
    /// The lateness in seconds.
    var late: Double
    /// The remaining time in words.
    var remaining: String
    /// The attempt, from 1.
    var attempt: Int
    /// The text for people.
    var message: String
    /// The `data` of the firing: without those four, which are the attempt's.
    var firingData: String

    /// The text is not a CloudEvent.
    struct IsMalformed: Error {
        /// The text.
        var text: String
    }

    /// Parses an event.
    init(_ text: String) throws {
        guard let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            let id = object["id"] as? String, let type = object["type"] as? String,
            let subject = object["subject"] as? String, let time = object["time"] as? String,
            let data = object["data"] as? [String: Any], let late = data["late"] as? Double,
            let remaining = data["remaining"] as? [String: Any], let left = remaining["text"] as? String,
            let attempt = data["attempt"] as? Int, let message = data["message"] as? String
        else { throw IsMalformed(text: text) }
        (self.id, self.type, self.subject, self.time) = (id, type, subject, time)
        (self.late, self.remaining, self.attempt, self.message) = (late, left, attempt, message)
        self.data = try Self.text(data)
        firingData = try Self.text(data.filter { !["late", "remaining", "attempt", "message"].contains($0.key) })
    }

    private static func text(_ members: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: members, options: .sortedKeys), as: UTF8.self)
    }
}
