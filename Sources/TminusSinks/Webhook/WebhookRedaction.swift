import TminusCore

/// Takes the secrets of a request out of what the other end said, which may repeat them.
struct WebhookRedaction: Sendable {
    /// Shorter ones are also parts of harmless words.
    private static let shortest = 6
    private static let mark = Array("(secret)".utf8)

    /// The longest first, so that none is left because a part of it was taken out.
    private let secrets: [[UInt8]]

    /// Takes out each of `secrets`.
    init(_ secrets: [[UInt8]]) {
        self.secrets = Set(secrets.filter { $0.count >= Self.shortest }).sorted { $1.count < $0.count }
    }

    /// `bytes` without the secrets; where they are not complete, also without the beginning of one at the end.
    func applied(to bytes: [UInt8], isComplete: Bool) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let rest = bytes[index...]
            if let found = secrets.first(where: { rest.starts(with: $0) }) {
                result += Self.mark
                index += found.count
            } else if !isComplete, secrets.contains(where: { $0.starts(with: rest) }) {
                break
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}
