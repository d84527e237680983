/// Takes secrets out of what a program said, before any of it is kept or shown: a hook may print its environment.
struct Redaction: Sendable {
    /// A shorter one would mark every other word, and is no secret.
    private static let shortest = 4
    private static let mark = Array("(secret)".utf8)

    /// Longest first, so that one that holds another goes as a whole.
    private let secrets: [[UInt8]]

    /// Takes these out.
    init(_ secrets: [[UInt8]] = []) {
        self.secrets = secrets.filter { $0.count >= Self.shortest }.sorted { $0.count > $1.count }
    }

    /// `bytes` with a mark in the place of each secret. If they were cut at the start, the rest of a secret that was cut
    /// there goes too.
    func clean(_ bytes: [UInt8], isCutAtStart: Bool = false) -> [UInt8] {
        var bytes = bytes
        for secret in secrets {
            if isCutAtStart { dropRest(of: secret, from: &bytes) }
            bytes = replace(secret, in: bytes)
        }
        return bytes
    }

    /// The same for a text.
    func clean(_ text: String) -> String {
        secrets.isEmpty ? text : String(decoding: clean(Array(text.utf8)), as: UTF8.self)
    }

    private func replace(_ secret: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= secret.count else { return bytes }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == secret[0], bytes[index...].starts(with: secret) {
                result += Self.mark
                index += secret.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    private func dropRest(of secret: [UInt8], from bytes: inout [UInt8]) {
        let longest = min(secret.count - 1, bytes.count)
        for count in stride(from: longest, through: 1, by: -1) where bytes.starts(with: secret.suffix(count)) {
            bytes.removeFirst(count)
            return
        }
    }
}
