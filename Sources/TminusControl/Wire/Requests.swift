/// The arguments of a control. Each member applies to some controls only.
package struct ControlBody: Codable, Sendable, Hashable {
    /// For `start`: how much to lengthen a timer, such as `2m`.
    package var add: String?
    /// For `snooze` and `mute`: the length, such as `10 minutes`.
    package var length: String?
    /// For `mute`: the end, in RFC 3339.
    package var until: String?
    /// The reason, recorded for later readers.
    package var note: String?

    enum CodingKeys: String, StrictKeys {
        case add, until, note
        case length = "for"
    }

    /// Creates the arguments, none by default.
    package init(add: String? = nil, length: String? = nil, until: String? = nil, note: String? = nil) {
        self.add = add
        self.length = length
        self.until = until
        self.note = note
    }

    /// Decodes the arguments; throws on an unknown member.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.strictContainer(keyedBy: CodingKeys.self)
        add = try object.decodeIfPresent(String.self, forKey: .add)
        length = try object.decodeIfPresent(String.self, forKey: .length)
        until = try object.decodeIfPresent(String.self, forKey: .until)
        note = try object.decodeIfPresent(String.self, forKey: .note)
    }
}
