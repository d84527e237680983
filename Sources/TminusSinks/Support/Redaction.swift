/// Replaces secrets in what the other end said, before any of it is kept or shown: a hook may print its environment, and a
/// server may repeat a request.
struct Redaction: Sendable {
    /// Where a text was cut off. The part of a secret that may be left there is removed as well.
    enum Cut {
        case nowhere
        case start
        case end
    }

    /// Shorter texts are not redacted, because they are part of many other words.
    private static let shortest = 4
    private static let mark = Array("(secret)".utf8)

    /// Longest first, so that a secret that contains another is replaced as a whole.
    private let secrets: [[UInt8]]

    /// A redaction of these secrets.
    init(_ secrets: [[UInt8]] = []) {
        self.secrets = secrets.filter { $0.count >= Self.shortest }.sorted { $0.count > $1.count }
    }

    /// Returns `bytes` with a mark in place of each secret.
    func clean(_ bytes: [UInt8], cut: Cut = .nowhere) -> [UInt8] {
        guard !secrets.isEmpty else { return bytes }
        var rest = bytes[...]
        if cut == .start { rest = rest.dropFirst(lengthOfRest(at: rest)) }
        var result: [UInt8] = []
        while let byte = rest.first {
            if let secret = secrets.first(where: { $0[0] == byte && rest.starts(with: $0) }) {
                result += Self.mark
                rest = rest.dropFirst(secret.count)
            } else if cut == .end, secrets.contains(where: { $0[0] == byte && $0.starts(with: rest) }) {
                break
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// Returns `text` with a mark in place of each secret.
    func clean(_ text: String) -> String {
        secrets.isEmpty ? text : String(decoding: clean(Array(text.utf8)), as: UTF8.self)
    }

    /// The length of the longest end of a secret, or of a whole one, that `bytes` start with.
    private func lengthOfRest(at bytes: ArraySlice<UInt8>) -> Int {
        let lengths = secrets.map { secret in
            (1...secret.count).last { bytes.starts(with: secret.suffix($0)) } ?? 0
        }
        return lengths.max() ?? 0
    }
}
