package import TminusCore

/// The request to send an action of a definition as a test.
package struct FireBody: Codable, Sendable, Hashable {
    /// The lead time of the reminder to send, such as `1 day`; nil for the expiry.
    package var reminder: String?
    /// The only sink to send to; nil for all.
    package var sink: String?
    /// Whether to only report what would be sent.
    package var isDryRun: Bool
    /// Whether the answer waits for the outcome of each delivery.
    package var waits: Bool

    enum CodingKeys: String, StrictKeys {
        case reminder, sink
        case isDryRun = "dry-run"
        case waits = "wait"
    }

    /// Creates a request; by default it sends the expiry to all its sinks.
    package init(reminder: String? = nil, sink: String? = nil, isDryRun: Bool = false, waits: Bool = false) {
        self.reminder = reminder
        self.sink = sink
        self.isDryRun = isDryRun
        self.waits = waits
    }

    /// Decodes a request; throws on an unknown member.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.strictContainer(keyedBy: CodingKeys.self)
        reminder = try object.decodeIfPresent(String.self, forKey: .reminder)
        sink = try object.decodeIfPresent(String.self, forKey: .sink)
        isDryRun = try object.decodeIfPresent(Bool.self, forKey: .isDryRun) ?? false
        waits = try object.decodeIfPresent(Bool.self, forKey: .waits) ?? false
    }
}

/// The answer to a test: what was sent, or would be.
package struct FireAnswer: Sendable, Hashable {
    /// The delivery to one sink.
    package struct Delivery: Sendable, Hashable {
        /// The delivery's id. Listings do not contain that of a dry run.
        package var id: String
        /// The sink's name.
        package var sink: String
        /// The title of the sink: its name, or its kind, target and place in the files.
        package var sinkTitle: String
        /// The CloudEvent as JSON, with the message that the receiver gets.
        package var event: String
        /// The text that the receiver gets in place of the CloudEvent; nil if it gets the CloudEvent.
        package var body: String?
        /// The header fields that go with the text.
        package var headers: [DeliveryDraft.Field]
        /// How its attempt ended: `delivered`, `retry`, `dead`, `expired` or `skipped`. Nil if the request did not
        /// wait, or if the attempt did not end in time.
        package var outcome: AttemptRecord.Outcome?
        /// The reason in words, unless it was delivered.
        package var message: String?
        /// For `retry`, the instant of the next attempt, in RFC 3339.
        package var nextAttempt: String?

        /// Creates a delivery, with its outcome if that is known.
        package init(
            id: String, sink: String, sinkTitle: String? = nil, event: String, body: String? = nil,
            headers: [DeliveryDraft.Field] = [], outcome: Outcome? = nil
        ) {
            self.id = id
            self.sink = sink
            self.sinkTitle = sinkTitle ?? sink
            self.event = event
            self.body = body
            self.headers = headers
            switch outcome {
            case nil: break
            case .delivered: self.outcome = .delivered
            case .retry(let next, let why): (self.outcome, message, nextAttempt) = (.retry, why, next.rfc3339)
            case .dead(let why): (self.outcome, message) = (.dead, why)
            case .expired(let why): (self.outcome, message) = (.expired, why)
            case .skipped(let why): (self.outcome, message) = (.skipped, why)
            }
        }

        /// Creates the delivery of a draft.
        package init(_ draft: DeliveryDraft, sinkTitle: String?, outcome: Outcome?) {
            self.init(
                id: draft.delivery.id.rawValue, sink: draft.delivery.sink.rawValue, sinkTitle: sinkTitle,
                event: String(decoding: CloudEvent.json(draft.delivery), as: UTF8.self), body: draft.body,
                headers: draft.headers, outcome: outcome)
        }
    }

    /// Whether the deliveries are sent; false for a dry run.
    package var isSent: Bool
    /// One delivery for each sink.
    package var deliveries: [Delivery]

    /// Creates the value from its members.
    package init(isSent: Bool, deliveries: [Delivery]) {
        self.isSent = isSent
        self.deliveries = deliveries
    }
}
