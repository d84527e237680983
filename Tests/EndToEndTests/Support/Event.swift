import Foundation

/// A CloudEvent as a sink received it.
struct Event {
    var id: String
    var type: String
    var subject: String
    var time: String
    /// The `data` with its keys in order, so that equal data is equal text.
    var data: String
    var late: Double
    /// In words.
    var remaining: String
    var attempt: Int
    var message: String
    /// The `data` without these four.
    var rest: String

    struct IsMalformed: Error {
        var text: String
    }

    init(_ text: String) throws {
        guard let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            let id = object["id"] as? String, let type = object["type"] as? String,
            let subject = object["subject"] as? String, let time = object["time"] as? String,
            let data = object["data"] as? [String: Any]
        else { throw IsMalformed(text: text) }
        (self.id, self.type, self.subject, self.time) = (id, type, subject, time)
        (late, attempt) = (data["late"] as? Double ?? .nan, data["attempt"] as? Int ?? 0)
        message = data["message"] as? String ?? ""
        remaining = (data["remaining"] as? [String: Any])?["text"] as? String ?? ""
        rest = try Self.text(data.filter { !["late", "remaining", "attempt", "message"].contains($0.key) })
        self.data = try Self.text(data)
    }

    private static func text(_ members: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: members, options: .sortedKeys), as: UTF8.self)
    }
}
