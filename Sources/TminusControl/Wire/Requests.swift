/// What is said along with a control, each member where it applies.
package struct ControlBody: Codable, Sendable, Hashable {
    /// Of `start`: by how much a running timer is lengthened, such as `2m`.
    package var add: String?
    /// Of `snooze` and `mute`: for how long, such as `10 minutes`.
    package var length: String?
    /// Of `mute`: until when, in RFC 3339.
    package var until: String?
    /// Why, for others who look later.
    package var note: String?

    enum CodingKeys: String, StrictKeys {
        case add, until, note
        case length = "for"
    }

    /// Without arguments nothing is said.
    package init(add: String? = nil, length: String? = nil, until: String? = nil, note: String? = nil) {
        self.add = add
        self.length = length
        self.until = until
        self.note = note
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.strictContainer(keyedBy: CodingKeys.self)
        add = try object.decodeIfPresent(String.self, forKey: .add)
        length = try object.decodeIfPresent(String.self, forKey: .length)
        until = try object.decodeIfPresent(String.self, forKey: .until)
        note = try object.decodeIfPresent(String.self, forKey: .note)
    }
}
