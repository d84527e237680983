import FoundationEssentials

/// What of an address and of header fields must not be shown, as a whole and in its parts.
enum WebhookSecrets {
    /// A shorter path is not redacted, because it is part of many other words.
    private static let shortestPath = 6

    /// The value of a field, the credentials in it without their scheme, and the password of the scheme Basic (RFC 7617).
    static func of(_ value: [UInt8]) -> [[UInt8]] {
        let words = value.split(separator: UInt8(ascii: " "))
        guard words.count == 2 else { return [value] }
        var secrets = [value, Array(words[1])]
        if String(decoding: words[0], as: UTF8.self).lowercased() == "basic",
            let pair = Data(base64Encoded: Data(words[1])), let colon = pair.firstIndex(of: UInt8(ascii: ":"))
        {
            secrets += [Array(pair), Array(pair[(colon + 1)...])]
        }
        return secrets
    }

    /// The path and query of a target, the values of secret parameters, and its credentials.
    static func of(_ target: WebhookTarget) -> [[UInt8]] {
        var secrets: [[UInt8]] = []
        let path = target.pathAndQuery
        if path.utf8.count >= shortestPath { secrets.append(Array(path.utf8)) }
        for parameter in path.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, SecretNames.contain(String(parts[0])) else { continue }
            secrets.append(Array(parts[1].utf8))
        }
        if let authorization = target.authorization { secrets += of(Array(authorization.utf8)) }
        return secrets
    }
}
