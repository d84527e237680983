import Foundation

/// A CloudEvent as a sink received it.
struct Event {
    var id: String
    var type: String
    var subject: String
    /// The `data` with its keys in order, so that equal data is equal text.
    var data: String

    struct IsMalformed: Error {
        var text: String
    }

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
