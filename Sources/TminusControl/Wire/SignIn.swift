package import TminusCore

/// How a browser signs in: by one of both.
package struct LoginBody: Codable, Sendable, Hashable {
    /// The secret of a token.
    package var token: String?
    /// A code of `tminus web`.
    package var code: String?

    enum CodingKeys: String, StrictKeys { case token, code }

    /// Signs in by one of both.
    package init(token: String? = nil, code: String? = nil) {
        self.token = token
        self.code = code
    }

    /// Decodes the body; throws on an unknown member.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.strictContainer(keyedBy: CodingKeys.self)
        token = try object.decodeIfPresent(String.self, forKey: .token)
        code = try object.decodeIfPresent(String.self, forKey: .code)
    }
}

/// The access of the client: the answer to `login` and `session`.
package struct SessionAnswer: Codable, Sendable, Hashable {
    /// The level.
    package var level: String
    /// Who they are; nil for a stranger.
    package var name: String?
    /// When the session ends, in RFC 3339; nil if it is none.
    package var ends: String?
    /// Whether holders of level edit may edit by this way: `allowed`, `off` or `not-encrypted`.
    package var editing: String

    /// Creates the value from its members.
    package init(level: AccessLevel, name: String?, ends: Timestamp?, editing: String) {
        self.level = level.rawValue
        self.name = name
        self.ends = ends?.rfc3339
        self.editing = editing
    }
}

/// Which code a user of the control socket wants.
package struct CodeBody: Codable, Sendable, Hashable {
    /// The level of the session: `read` if absent, `control` or `edit`.
    package var level: String?

    enum CodingKeys: String, StrictKeys { case level }

    /// Asks for a level.
    package init(level: String? = nil) { self.level = level }

    /// Decodes the body; throws on an unknown member.
    package init(from decoder: any Decoder) throws {
        level = try decoder.strictContainer(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .level)
    }
}

/// A code that signs a browser in, once.
package struct CodeAnswer: Codable, Sendable, Hashable {
    /// The code.
    package var code: String
    /// The level of the session.
    package var level: String
    /// How long it is good, in seconds.
    package var seconds: Int
    /// Where to use it: the addresses of the page, with the code in the fragment, which no browser sends.
    package var links: [String]

    /// Creates the value from its members.
    package init(code: String, level: AccessLevel, seconds: Int, links: [String]) {
        self.code = code
        self.level = level.rawValue
        self.seconds = seconds
        self.links = links
    }
}

/// A browser that is signed in, as `tminus web list` shows it.
package struct SignedIn: Codable, Sendable, Hashable {
    /// The first digits of its SHA-256, which name it.
    package var id: String
    /// Who signed in: the name of a token, or of a user.
    package var name: String
    /// What it may do.
    package var level: String
    /// The IP address from which somebody signed in.
    package var address: String
    /// When somebody signed in, in RFC 3339.
    package var made: String
    /// When it was used last, to ten minutes, in RFC 3339.
    package var used: String
    /// When it ends unless it is used, in RFC 3339.
    package var ends: String

    /// The number of digits of an id.
    package static let digits = 12

    /// The answer for a session.
    package init(_ session: WebSession) {
        id = String(session.digest.prefix(Self.digits))
        (name, level, address) = (session.name, session.level.rawValue, session.address)
        (made, used, ends) = (session.made.rfc3339, session.used.rfc3339, session.ends.rfc3339)
    }
}
