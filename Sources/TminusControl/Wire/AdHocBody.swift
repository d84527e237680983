/// The request for an ad-hoc timer or stopwatch, one without a file.
package struct AdHocBody: Codable, Sendable, Hashable {
    /// The longest name, in Unicode scalars.
    package static let longestName = 200

    /// The name. The id is derived from it unless one is given.
    package var name: String?
    /// The id.
    package var id: String?
    /// A timer's duration, such as `25m`.
    package var duration: String?
    /// A command line that `/bin/sh` runs at the expiry. Without it, the expiry is a line on the daemon's standard
    /// output.
    package var then: String?

    enum CodingKeys: String, StrictKeys {
        case name, id, duration, then
    }

    /// Creates a request.
    package init(name: String? = nil, id: String? = nil, duration: String? = nil, then: String? = nil) {
        self.name = name
        self.id = id
        self.duration = duration
        self.then = then
    }

    /// Decodes a request; throws on an unknown member.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try object.decodeIfPresent(String.self, forKey: .name)
        id = try object.decodeIfPresent(String.self, forKey: .id)
        duration = try object.decodeIfPresent(String.self, forKey: .duration)
        then = try object.decodeIfPresent(String.self, forKey: .then)
    }
}
