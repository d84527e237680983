package import TminusCore

/// The option `message` of every sink: a template whose text replaces the payload's own message.
package struct MessageTemplate: Sendable {
    /// The key for the tables of the sinks.
    package static let key = KeyTable.Key(
        "message", .text, "a Mustache template over the payload's data, which replaces its message",
        otherwise: "the message of the payload", example: "\"{{name}}: {{remaining.text}} left\"")

    private let template: TextTemplate?

    /// Decodes the template of `message`; without the key messages stay unchanged.
    package init(from reader: MappingReader) {
        template = reader.template(Self.key.name, escaping: .text)
    }

    /// Messages stay unchanged.
    package static let none = MessageTemplate(template: nil)

    private init(template: TextTemplate?) {
        self.template = template
    }

    /// Whether the user gave a template.
    package var isGiven: Bool { template != nil }

    /// The delivery with the message from the template.
    package func applied(to delivery: Delivery) -> Delivery {
        guard let template else { return delivery }
        var delivery = delivery
        delivery.payload.message = template.render(delivery)
        return delivery
    }
}
