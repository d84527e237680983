import TminusCore

/// The address of a webhook: a URL in the file, or a secret that holds one, as many chat services need.
enum WebhookAddress: Sendable {
    case known(WebhookTarget)
    case secret(SecretSource)

    /// Decodes the value of `key`. Problems are reported without the address.
    init?(from reader: MappingReader, key: String, context: SinkContext) {
        guard let node = reader.node(key) else { return nil }
        if case .mapping = node.content {
            guard let source = SecretSource(node, for: key, context: context, reader.diagnostics) else { return nil }
            self = .secret(source)
            return
        }
        guard let text = reader.text(key) else { return nil }
        // The user, password, path and query of an address are often secrets.
        let hasPath = text.split(separator: "/").count > (text.contains("://") ? 2 : 1)
        if hasPath || text.contains("@") || text.contains("?") { reader.diagnostics.conceal(node.range) }
        do throws(WebhookTarget.Problem) {
            self = .known(try WebhookTarget(text))
        } catch {
            reader.error("'\(key)' \(error.message)", at: key)
            return nil
        }
    }

    /// The current target.
    func target() async throws(DeliveryError) -> WebhookTarget {
        switch self {
        case .known(let target): return target
        case .secret(let source):
            let secret = try await source.read()
            do throws(WebhookTarget.Problem) {
                return try WebhookTarget(String(decoding: secret.bytes, as: UTF8.self))
            } catch {
                throw .transient("the secret address \(error.message)")
            }
        }
    }
}
