import NIOHTTP1
import TminusCore

/// The header fields that a user gives a webhook: fixed, from a template, or secret.
struct WebhookHeaders: Sendable {
    enum Value: Sendable {
        case fixed(String)
        case template(TextTemplate)
        case secret(SecretSource)
    }

    /// The type of the values of the mapping.
    static let valueType = KeyTable.ValueType.map(.either([.text, .secret]))

    /// Fields of the message framing and the connection, which the client sets, and those of the signature.
    private static let reserved: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
        "webhook-id", "webhook-timestamp", "webhook-signature",
    ]
    /// Sorted by name.
    private let fields: [(name: String, value: Value)]

    /// Decodes the mapping under `key`. Problems are reported without any value.
    init(from reader: MappingReader, key: String, context: SinkContext) {
        var fields: [(name: String, value: Value)] = []
        var names: Set<String> = []
        for entry in reader.map(key) ?? [] {
            if let problem = Self.problem(entry.key) { reader.error(problem, at: key, entry: entry.key) }
            if !names.insert(entry.key.lowercased()).inserted {
                reader.error("the header field '\(entry.key)' is there twice", at: key, entry: entry.key)
            }
            if let value = Self.value(of: entry, reader.diagnostics, context) { fields.append((entry.key, value)) }
        }
        self.fields = fields.sorted { $0.name < $1.name }
    }

    private static func value(of entry: Node.Entry, _ diagnostics: DiagnosticBag, _ context: SinkContext) -> Value? {
        if case .mapping = entry.value.content {
            return SecretSource(entry.value, for: entry.key, context: context, diagnostics).map { .secret($0) }
        }
        guard let text = MappingReader.text(of: entry.value, for: entry.key, diagnostics) else { return nil }
        if text.utf8.contains(where: isControl) || SecretNames.contain(entry.key) {
            diagnostics.conceal(entry.value.range)
        }
        if text.utf8.contains(where: isControl) {
            diagnostics.error(
                "the value of the header field '\(entry.key)' has a control character", at: entry.keyRange)
            return nil
        }
        guard text.contains("{{") else { return .fixed(text) }
        do throws(TextTemplate.Problem) {
            return .template(try TextTemplate(text, escaping: .text))
        } catch {
            diagnostics.error("the header field '\(entry.key)' \(error.message)", at: entry.value.range)
            return nil
        }
    }

    /// The problem of a field's name; nil if there is none.
    private static func problem(_ name: String) -> String? {
        // RFC 9110, section 5.6.2: token.
        let isToken =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: Array("!#$%&'*+-.^_`|~".utf8).contains(byte)
                }
            }
        if !isToken {
            return "'\(VisibleText.line(name))' is not the name of a header field; write letters, digits and '-'"
        }
        return reserved.contains(name.lowercased()) ? "the header field '\(name)' is set by tminus itself" : nil
    }

    /// Whether no value may have the byte (RFC 9110, section 5.5).
    private static func isControl(_ byte: UInt8) -> Bool { (byte < 0x20 && byte != 0x09) || byte == 0x7F }

    /// The value of a field; nil if there is none.
    subscript(name: String) -> Value? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The fields for a delivery, and the values among them that must not be shown.
    func resolved(for delivery: Delivery) async throws(DeliveryError) -> (fields: HTTPHeaders, secrets: [[UInt8]]) {
        var result = HTTPHeaders()
        var secrets: [[UInt8]] = []
        for (name, value) in fields {
            switch value {
            case .fixed(let text):
                result.add(name: name, value: text)
                if SecretNames.contain(name) { secrets += WebhookSecrets.of(Array(text.utf8)) }
            case .template(let template):
                let text = Self.line(template.render(delivery))
                result.add(name: name, value: text)
                if SecretNames.contain(name) { secrets += WebhookSecrets.of(Array(text.utf8)) }
            case .secret(let source):
                let bytes = try await source.read().bytes
                guard !bytes.contains(where: Self.isControl) else {
                    throw .transient("the secret of the header field '\(name)' has a control character")
                }
                result.add(name: name, value: String(decoding: bytes, as: UTF8.self))
                secrets += WebhookSecrets.of(bytes)
            }
        }
        return (result, secrets)
    }

    /// The values that count as secrets though they are written in the file.
    var literalSecrets: [[UInt8]] {
        fields.compactMap { name, value -> [UInt8]? in
            guard case .fixed(let text) = value, SecretNames.contain(name) else { return nil }
            return Array(text.utf8)
        }
    }

    /// The fields for display, without secrets. `clean` replaces known secrets in a value.
    func drafted(for delivery: Delivery, clean: (String) -> String) -> [DeliveryDraft.Field] {
        fields.map { name, value in
            if SecretNames.contain(name) { return DeliveryDraft.Field(name, DeliveryDraft.secret) }
            return switch value {
            case .secret: DeliveryDraft.Field(name, DeliveryDraft.secret)
            case .fixed(let text): DeliveryDraft.Field(name, clean(text))
            case .template(let template): DeliveryDraft.Field(name, clean(Self.line(template.render(delivery))))
            }
        }
    }

    /// `text` as a value that cannot begin another field.
    private static func line(_ text: String) -> String {
        let bytes = text.utf8.map { isControl($0) ? 0x20 : $0 }
        let trimmed = bytes.drop { $0 == 0x20 || $0 == 0x09 }.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
        return String(decoding: trimmed, as: UTF8.self)
    }
}
