import TminusCore

/// The body of a webhook: the payload, or the text of a template.
struct WebhookBody: Sendable {
    /// The media type of a template's text by default.
    private static let standardType = "application/json"

    private let template: TextTemplate?
    /// Values in the template under names such as `token`.
    let literalSecrets: [[UInt8]]

    /// Decodes the template under `key`. The header field `Content-Type` decides how its values are escaped; the default is JSON.
    init(from reader: MappingReader, key: String, headers: WebhookHeaders) {
        if case .scalar(let text)? = reader.node(key)?.content {
            literalSecrets = SecretNames.values(in: text)
        } else {
            literalSecrets = []
        }
        guard reader.has(key) else {
            template = nil
            return
        }
        let escaping: TemplateEscaping
        switch headers["Content-Type"] {
        case nil: escaping = TemplateEscaping(mediaType: Self.standardType)
        case .fixed(let type): escaping = TemplateEscaping(mediaType: type)
        case .template, .secret:
            reader.error("'\(key)' needs a Content-Type without a template: it says how values are escaped", at: key)
            escaping = .text
        }
        template = reader.template(key, escaping: escaping)
        if let template, escaping == .json { reader.warnUnlessJSON(template, at: key) }
    }

    /// The media type, unless a header field overrides it.
    var type: String { template == nil ? CloudEvent.contentType : Self.standardType }

    /// The bytes for a delivery.
    func bytes(for delivery: Delivery) -> [UInt8] {
        text(for: delivery).map { Array($0.utf8) } ?? CloudEvent.json(delivery)
    }

    /// The text of the template for a delivery; nil if there is no template.
    func text(for delivery: Delivery) -> String? { template?.render(delivery) }
}
