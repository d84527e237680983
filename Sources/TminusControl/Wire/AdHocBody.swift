/// A timer or a stopwatch without a file.
package struct AdHocBody: Codable, Sendable, Hashable {
    /// How many characters a name has at the most.
    package static let longestName = 200

    /// Its name; the id is made of it unless one is given.
    package var name: String?
    /// Its id.
    package var id: String?
    /// Of a timer: how long it runs, such as `25m`.
    package var duration: String?
    /// A command line for `/bin/sh` at the end; else a line on the standard output of the daemon.
    package var then: String?

    enum CodingKeys: String, StrictKeys {
        case name, id, duration, then
    }

    /// With what is given.
    package init(name: String? = nil, id: String? = nil, duration: String? = nil, then: String? = nil) {
        self.name = name
        self.id = id
        self.duration = duration
        self.then = then
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try object.decodeIfPresent(String.self, forKey: .name)
        id = try object.decodeIfPresent(String.self, forKey: .id)
        duration = try object.decodeIfPresent(String.self, forKey: .duration)
        then = try object.decodeIfPresent(String.self, forKey: .then)
    }
}
