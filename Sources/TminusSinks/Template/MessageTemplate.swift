package import TminusCore

/// The option `message` that every sink has: a template whose text takes the place of the payload's own message.
package struct MessageTemplate: Sendable {
    /// The key for the tables of the sinks.
    package static let key = KeyTable.Key(
        "message", .text, "a Mustache template over the payload's data, which replaces its message",
        otherwise: "the message of the payload", example: "\"{{name}}: {{remaining.text}} left\"")

    private let template: TextTemplate?

    /// The template of `message`; without the key, messages stay as they are.
    package init(from reader: MappingReader) {
        template = reader.template(Self.key.name, escaping: .text)
    }

    /// Messages stay as they are.
    package static let none = MessageTemplate(template: nil)

    private init(template: TextTemplate?) {
        self.template = template
    }

    /// The delivery with its message as the sink wants it.
    package func applied(to delivery: Delivery) -> Delivery {
        guard let template else { return delivery }
        var delivery = delivery
        delivery.payload.message = template.render(delivery)
        return delivery
    }
}
