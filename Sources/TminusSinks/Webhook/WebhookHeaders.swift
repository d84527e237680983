import TminusCore

/// The header fields that a user gives a webhook: fixed, made by a template, or a secret.
struct WebhookHeaders: Sendable {
    enum Value: Sendable {
        case fixed(String)
        case template(TextTemplate)
        case secret(SecretSource)
    }

    /// Fields ready to be sent.
    struct Resolved: Sendable {
        var fields: [(name: String, value: String)] = []
        /// Values that must not be shown.
        var secrets: [[UInt8]] = []
    }

    /// What the keys of the mapping may be given.
    static let valueType = KeyTable.ValueType.map(.either([.text, SecretSource.valueType]))

    /// Fields that frame the message or the connection, which the client sets, and those of the signature.
    private static let reserved: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
        "webhook-id", "webhook-timestamp", "webhook-signature",
    ]
    /// Parts of the names of fields whose values are secrets also where the file has them.
    private static let secretNames = ["auth", "cookie", "key", "password", "secret", "signature", "token"]

    /// In the order of the names.
    private let fields: [(name: String, value: Value)]

    /// Fields with those texts.
    init(_ texts: [String: String]) {
        fields = texts.sorted { $0.key < $1.key }.map { ($0.key, .fixed($0.value)) }
    }

    /// Decodes the mapping under `key`. What is wrong is reported, without any value.
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
        if text.utf8.contains(where: isControl) || isSecret(entry.key) { diagnostics.conceal(entry.value.range) }
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

    /// What is wrong with the name of a field; nil if nothing is.
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
            return "'\(PlainText.line(name))' is not the name of a header field; write letters, digits and '-'"
        }
        return reserved.contains(name.lowercased()) ? "the header field '\(name)' is set by tminus itself" : nil
    }

    private static func isSecret(_ name: String) -> Bool {
        secretNames.contains(where: name.lowercased().contains)
    }

    /// RFC 9110, section 5.5: what no value may have.
    private static func isControl(_ byte: UInt8) -> Bool { (byte < 0x20 && byte != 0x09) || byte == 0x7F }

    /// The value of a field in the file, by which the body is understood; nil if there is none or it is not fixed.
    subscript(name: String) -> Value? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The fields for a delivery, with their secrets as they are now.
    func resolved(for delivery: Delivery) async throws(DeliveryError) -> Resolved {
        var result = Resolved()
        for (name, value) in fields {
            switch value {
            case .fixed(let text):
                result.fields.append((name, text))
                if Self.isSecret(name) {
                    result.secrets.append(Array(text.utf8))
                }
            case .template(let template):
                result.fields.append((name, Self.line(template.render(delivery))))
            case .secret(let source):
                let bytes = try await source.read().bytes
                guard !bytes.contains(where: Self.isControl) else {
                    throw .transient("the secret of the header field '\(name)' has a control character")
                }
                result.fields.append((name, String(decoding: bytes, as: UTF8.self)))
                result.secrets.append(bytes)
            }
        }
        return result
    }

    /// `text` as a value: no user's text can begin another field.
    private static func line(_ text: String) -> String {
        let bytes = text.utf8.map { isControl($0) ? 0x20 : $0 }
        let trimmed = bytes.drop { $0 == 0x20 || $0 == 0x09 }.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
        return String(decoding: trimmed, as: UTF8.self)
    }
}
