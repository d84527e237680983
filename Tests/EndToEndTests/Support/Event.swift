import Foundation

/// A CloudEvent as a sink received it.
struct Event {
    /// The delivery's id.
    var id: String
    /// The event type.
    var type: String
    /// The definition's id.
    var subject: String
    /// The `data` with sorted keys, so equal data gives equal text.
    var data: String

    /// The text is not a CloudEvent.
    struct IsMalformed: Error {
        /// The text.
        var text: String
    }

    /// Parses an event.
    init(_ text: String) throws {
        guard let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            let id = object["id"] as? String, let type = object["type"] as? String,
            let subject = object["subject"] as? String, let data = object["data"] as? [String: Any]
        else { throw IsMalformed(text: text) }
        (self.id, self.type, self.subject) = (id, type, subject)
        let sorted = try JSONSerialization.data(withJSONObject: data, options: .sortedKeys)
        self.data = String(decoding: sorted, as: UTF8.self)
    }
}
