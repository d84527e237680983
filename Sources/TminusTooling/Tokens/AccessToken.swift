package import TminusCore

/// Who may come in over TCP, and what they may do there. Of the secret there is the SHA-256 only.
package struct AccessToken: Sendable, Hashable {
    /// The name, under which state and log record what its holder does: 1 to 64 of `A-Z a-z 0-9 . _ -`.
    package let name: String
    /// The level: one of ``AccessLevel/granted``.
    package let level: AccessLevel
    /// The SHA-256 of the secret: 64 hexadecimal digits in lower case.
    package let digest: String
    /// The day on which it was made, in UTC: `2026-11-25`.
    package let made: String

    /// A new token, and its secret: 160 random bits after a prefix by which people and scanners know it.
    package static func make(
        _ name: String, _ level: AccessLevel, now: Timestamp
    ) -> (token: AccessToken, secret: String) {
        let secret = "tminus_\(RandomSecret.make(bits: 160))"
        let token = AccessToken(
            name: name, level: level, digest: RandomSecret.digest(of: secret), made: String(now.rfc3339.prefix(10)))
        return (token, secret)
    }

    /// Whether a text can be the name of a token.
    package static func isName(_ text: String) -> Bool { DefinitionID.isValid(text) }

    /// Its line of a token file.
    var line: String { "\(name) \(level.rawValue) \(digest) \(made)" }

    private init(name: String, level: AccessLevel, digest: String, made: String) {
        self.name = name
        self.level = level
        self.digest = digest
        self.made = made
    }

    /// Why a line is none.
    struct Mismatch: Error, Sendable, Hashable {
        /// What is wrong, and what to write instead.
        let message: String
    }

    /// The token of a line.
    init(line: Substring) throws(Mismatch) {
        let fields = line.split { $0 == " " || $0 == "\t" }.map(String.init)
        guard fields.count == 4 else {
            throw Mismatch(message: "expected 'NAME LEVEL SHA-256 DATE', as 'tminus token add' writes it")
        }
        let (name, digest, made) = (fields[0], fields[2], fields[3])
        guard Self.isName(name) else {
            throw Mismatch(message: "the name '\(name.prefix(80))' is not valid: \(DefinitionID.rule(brokenBy: name))")
        }
        guard let level = AccessLevel(rawValue: fields[1]), AccessLevel.granted.contains(level) else {
            throw Mismatch(message: "'\(name)': the level must be read, control or edit")
        }
        guard digest.utf8.count == 64, digest.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
            throw Mismatch(message: "'\(name)': the SHA-256 must be 64 hexadecimal digits in lower case")
        }
        guard made.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil else {
            throw Mismatch(message: "'\(name)': the date must be as in 2026-11-25")
        }
        self.init(name: name, level: level, digest: digest, made: made)
    }
}
