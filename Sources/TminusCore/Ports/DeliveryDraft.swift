/// What a sink would send for a delivery, for display before anything is sent.
///
/// A draft contains no secret. Where the receiver gets one, the draft has ``secret``.
public struct DeliveryDraft: Sendable, Hashable {
    /// What the receiver gets.
    public enum Content: Sendable, Hashable {
        /// The CloudEvent of ``DeliveryDraft/delivery`` as JSON.
        case event
        /// A line that shows the message.
        case line(String)
        /// A text from a template of the sink.
        case text(String)
    }

    /// A header field that goes with the content.
    public struct Field: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// A field with its name and value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The text in place of a secret.
    public static let secret = "(secret)"

    /// The delivery, with the message that the receiver gets.
    public var delivery: Delivery
    /// What the receiver gets.
    public var content: Content
    /// The header fields of a request, without those that each attempt computes.
    public var headers: [Field]

    /// A draft of a delivery; by default, the receiver gets its CloudEvent.
    public init(_ delivery: Delivery, content: Content = .event, headers: [Field] = []) {
        self.delivery = delivery
        self.content = content
        self.headers = headers
    }

    /// The text that the receiver gets in place of the CloudEvent; nil if it gets the CloudEvent.
    package var body: String? {
        switch content {
        case .event: nil
        case .line(let text), .text(let text): text
        }
    }

    /// The text that the receiver gets.
    package var text: String { body ?? String(decoding: CloudEvent.json(delivery), as: UTF8.self) }
}
