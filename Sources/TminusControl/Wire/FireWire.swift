/// Which actions of a definition are tried, and how.
package struct FireBody: Codable, Sendable, Hashable {
    /// The lead time of a reminder, such as `1 day`; else the expiry.
    package var reminder: String?
    /// To that sink alone.
    package var sink: String?
    /// Only what would be sent is told.
    package var isDryRun: Bool

    enum CodingKeys: String, StrictKeys {
        case reminder, sink
        case isDryRun = "dry-run"
    }

    /// The expiry to all its sinks unless told otherwise.
    package init(reminder: String? = nil, sink: String? = nil, isDryRun: Bool = false) {
        self.reminder = reminder
        self.sink = sink
        self.isDryRun = isDryRun
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.strictContainer(keyedBy: CodingKeys.self)
        reminder = try object.decodeIfPresent(String.self, forKey: .reminder)
        sink = try object.decodeIfPresent(String.self, forKey: .sink)
        isDryRun = try object.decodeIfPresent(Bool.self, forKey: .isDryRun) ?? false
    }
}

/// What was sent as a test, or would be.
package struct FireAnswer: Codable, Sendable, Hashable {
    /// What one sink gets.
    package struct Delivery: Codable, Sendable, Hashable {
        /// The id of the delivery; that of a dry run is in no list.
        package var id: String
        /// The sink.
        package var sink: String
        /// What it is sent: a CloudEvent in JSON, byte by byte.
        package var event: String

        /// With all its members.
        package init(id: String, sink: String, event: String) {
            self.id = id
            self.sink = sink
            self.event = event
        }
    }

    /// Whether it is sent.
    package var isSent: Bool
    /// To each sink.
    package var deliveries: [Delivery]

    enum CodingKeys: String, CodingKey {
        case deliveries
        case isSent = "sent"
    }

    /// With all its members.
    package init(isSent: Bool, deliveries: [Delivery]) {
        self.isSent = isSent
        self.deliveries = deliveries
    }
}
