/// The request to send an action of a definition as a test.
package struct FireBody: Codable, Sendable, Hashable {
    /// The lead time of the reminder to send, such as `1 day`; nil for the expiry.
    package var reminder: String?
    /// The only sink to send to; nil for all.
    package var sink: String?
    /// Whether to only report what would be sent.
    package var isDryRun: Bool

    enum CodingKeys: String, StrictKeys {
        case reminder, sink
        case isDryRun = "dry-run"
    }

    /// Creates a request; by default it sends the expiry to all its sinks.
    package init(reminder: String? = nil, sink: String? = nil, isDryRun: Bool = false) {
        self.reminder = reminder
        self.sink = sink
        self.isDryRun = isDryRun
    }

    /// Decodes a request; throws on an unknown member.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.strictContainer(keyedBy: CodingKeys.self)
        reminder = try object.decodeIfPresent(String.self, forKey: .reminder)
        sink = try object.decodeIfPresent(String.self, forKey: .sink)
        isDryRun = try object.decodeIfPresent(Bool.self, forKey: .isDryRun) ?? false
    }
}

/// The answer to a test: what was sent, or would be.
package struct FireAnswer: Codable, Sendable, Hashable {
    /// The delivery to one sink.
    package struct Delivery: Codable, Sendable, Hashable {
        /// The delivery's id. Listings do not contain that of a dry run.
        package var id: String
        /// The sink's name.
        package var sink: String
        /// The CloudEvent as JSON, exactly as sent.
        package var event: String

        /// Creates the value from its members.
        package init(id: String, sink: String, event: String) {
            self.id = id
            self.sink = sink
            self.event = event
        }
    }

    /// Whether the deliveries are sent; false for a dry run.
    package var isSent: Bool
    /// One delivery for each sink.
    package var deliveries: [Delivery]

    enum CodingKeys: String, CodingKey {
        case deliveries
        case isSent = "sent"
    }

    /// Creates the value from its members.
    package init(isSent: Bool, deliveries: [Delivery]) {
        self.isSent = isSent
        self.deliveries = deliveries
    }
}
