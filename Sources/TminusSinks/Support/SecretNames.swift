/// Names whose values count as secrets even if they are written in a file.
enum SecretNames {
    private static let parts = ["auth", "cookie", "key", "password", "secret", "signature", "token"]

    /// Whether the value of a header field or member with this name is a secret.
    static func contain(_ name: String) -> Bool { parts.contains(where: name.lowercased().contains) }

    /// The values of such names that are written in the template of a JSON object or form. Values with tags come from
    /// the payload and do not count.
    static func values(in template: String) -> [[UInt8]] {
        let members = template.matches(of: /"(?<name>[^"]+)"\s*:\s*"(?<value>[^"]+)"/).map { ($0.name, $0.value) }
        let pairs = template.matches(of: /(?<name>[\w.\-]+)=(?<value>[^&\s"]+)/).map { ($0.name, $0.value) }
        return (members + pairs).filter { contain(String($0.0)) && !$0.1.contains("{{") }.map { Array($0.1.utf8) }
    }
}
