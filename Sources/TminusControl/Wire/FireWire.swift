package import TminusCore

/// Which actions of a definition are tried, and how.
package struct FireBody: Codable, Sendable, Hashable {
    /// The lead time of a reminder, such as `1 day`; else the expiry.
    package var reminder: String?
    /// To that sink alone.
    package var sink: String?
    /// Only what would be sent is told.
    package var isDryRun: Bool
    /// Whether the answer waits for the outcome of each delivery.
    package var waits: Bool

    enum CodingKeys: String, StrictKeys {
        case reminder, sink
        case isDryRun = "dry-run"
        case waits = "wait"
    }

    /// The expiry to all its sinks unless told otherwise.
    package init(reminder: String? = nil, sink: String? = nil, isDryRun: Bool = false, waits: Bool = false) {
        self.reminder = reminder
        self.sink = sink
        self.isDryRun = isDryRun
        self.waits = waits
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.strictContainer(keyedBy: CodingKeys.self)
        reminder = try object.decodeIfPresent(String.self, forKey: .reminder)
        sink = try object.decodeIfPresent(String.self, forKey: .sink)
        isDryRun = try object.decodeIfPresent(Bool.self, forKey: .isDryRun) ?? false
        waits = try object.decodeIfPresent(Bool.self, forKey: .waits) ?? false
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
        /// How its attempt ended: `delivered`, `retry`, `dead`, `expired` or `skipped`; nil if nobody waited, or in vain.
        package var outcome: AttemptRecord.Outcome?
        /// Why, unless it was delivered.
        package var reason: String?
        /// Of `retry`: the instant of the next attempt, in RFC 3339.
        package var nextAttempt: String?

        enum CodingKeys: String, CodingKey {
            case id, sink, event, outcome, reason
            case nextAttempt = "next-attempt"
        }

        /// A delivery, with its outcome if that is known.
        package init(id: String, sink: String, event: String, outcome: Outcome? = nil) {
            self.id = id
            self.sink = sink
            self.event = event
            switch outcome {
            case nil: break
            case .delivered: self.outcome = .delivered
            case .retry(let next, let why): (self.outcome, reason, nextAttempt) = (.retry, why, next.rfc3339)
            case .dead(let why): (self.outcome, reason) = (.dead, why)
            case .expired(let why): (self.outcome, reason) = (.expired, why)
            case .skipped(let why): (self.outcome, reason) = (.skipped, why)
            }
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
