import FoundationEssentials
import NIOHTTP1
import TminusCore

/// The signature of a request (Standard Webhooks 1.0): HMAC-SHA256 over id, timestamp and body.
struct WebhookSignature: Sendable {
    /// The keys to sign with: one, or the new and the old one during a rotation.
    private let keys: [[UInt8]]

    /// The prefix of a secret whose rest is the key in base64.
    private static let mark = Array("whsec_".utf8)

    /// A signature with secrets. Each secret is `whsec_` and a key in base64, or the key itself.
    ///
    /// - Throws: An error that does not contain the secret.
    init(_ secrets: [Secret]) throws(DeliveryError) {
        var keys: [[UInt8]] = []
        for secret in secrets { keys.append(try Self.key(of: secret)) }
        self.keys = keys
    }

    /// The header fields of a request. `timestamp` is that of the attempt, in seconds since the Unix epoch.
    func headers(id: String, timestamp: Int64, body: [UInt8]) -> HTTPHeaders {
        let signed = Array("\(id).\(timestamp).".utf8) + body
        let signatures = keys.map { "v1," + Data(KeyedDigest(of: signed, key: $0).bytes).base64EncodedString() }
        return [
            "webhook-id": id, "webhook-timestamp": "\(timestamp)",
            "webhook-signature": signatures.joined(separator: " "),
        ]
    }

    private static func key(of secret: Secret) throws(DeliveryError) -> [UInt8] {
        guard secret.bytes.starts(with: mark) else { return secret.bytes }
        // Some services omit the padding.
        let text = secret.bytes.dropFirst(mark.count).reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
        guard let key = Data(base64Encoded: Data(text + padding)), !key.isEmpty else {
            // Transient, because someone may correct it.
            throw .transient("the secret begins with 'whsec_', and what follows is not base64")
        }
        return Array(key)
    }
}
