internal import TminusCore

/// The tokens of a file, one a line: `lobby read SHA-256 2026-11-25`. Empty lines and lines that begin with `#` stay as they are.
package struct TokenList: Sendable, Hashable {
    /// The tokens, in their order.
    package private(set) var tokens: [AccessToken] = []
    /// What is wrong with the other lines, each with its number. Such a line gives nobody access.
    package private(set) var problems: [String] = []
    private var lines: [Substring] = []

    /// Reads the content of a file. No line can make another one invalid.
    package init(_ content: [UInt8] = []) {
        let text = String(decoding: content, as: UTF8.self)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for (index, line) in lines.enumerated() where !Self.isComment(line) {
            do throws(AccessToken.Mismatch) {
                let token = try AccessToken(line: line)
                guard self[token.name] == nil else {
                    throw AccessToken.Mismatch(message: "there are two tokens with the name '\(token.name)'")
                }
                tokens.append(token)
            } catch {
                problems.append("line \(index + 1): \(error.message)")
            }
        }
    }

    /// The token with a name.
    package subscript(name: String) -> AccessToken? { tokens.first { $0.name == name } }

    /// The token with a secret. Compares all of them, so the time does not reveal which one matched.
    package func token(withSecret secret: String) -> AccessToken? {
        let digest = RandomSecret.digest(of: secret)
        var found: AccessToken?
        for token in tokens where RandomSecret.isSame(token.digest, digest) { found = token }
        return found
    }

    /// The content with one more token at its end.
    func adding(_ token: AccessToken) -> [UInt8] { Self.content(lines + [token.line[...]]) }

    /// The content without a token.
    func removing(_ token: AccessToken) -> [UInt8] {
        Self.content(lines.filter { (try? AccessToken(line: $0))?.name != token.name })
    }

    private static func content(_ lines: [Substring]) -> [UInt8] {
        Array(lines.map { "\($0)\n" }.joined().utf8)
    }

    private static func isComment(_ line: Substring) -> Bool {
        let start = line.first { $0 != " " && $0 != "\t" && $0 != "\r" }
        return start == nil || start == "#"
    }
}
