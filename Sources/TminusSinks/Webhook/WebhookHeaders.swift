import TminusCore

/// The header fields of a webhook request.
enum WebhookHeaders {
    /// Fields that frame the message or the connection, which the client sets.
    private static let reserved: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// What is wrong with a field, without its value, which may be a secret; nil if nothing is.
    static func problem(_ name: String, _ value: String) -> String? {
        // RFC 9110, section 5.6.2: token; section 5.5: field values.
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
        if reserved.contains(name.lowercased()) { return "the header field '\(name)' is set by tminus itself" }
        if value.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) {
            return "the value of the header field '\(name)' has a control character"
        }
        return nil
    }

    /// The standard fields, each replaced by one of the user's with its name, and the other ones of the user.
    static func all(_ own: [String: String], _ target: WebhookTarget) -> [(String, String)] {
        var fields: [(String, String)] = [("Content-Type", CloudEvent.contentType), ("User-Agent", "tminus")]
        if let authorization = target.authorization { fields.append(("Authorization", authorization)) }
        let names = Set(own.keys.map { $0.lowercased() })
        fields.removeAll { names.contains($0.0.lowercased()) }
        return fields + own.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
