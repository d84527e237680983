/// A browser that is signed in over TCP. Of the secret that it shows there is the SHA-256 only.
public struct WebSession: Sendable, Hashable {
    /// The SHA-256 of the browser's secret: 64 hexadecimal digits in lower case.
    public var digest: String
    /// The name under which state and log record what the browser does: that of the token, or of the user who asked for a code.
    public var name: String
    /// The SHA-256 of the token with which somebody signed in, without which the session is not valid; nil after a code.
    public var token: String?
    /// What the browser may do: one of ``AccessLevel/granted``.
    public var level: AccessLevel
    /// The IP address from which somebody signed in.
    public var address: String
    /// When somebody signed in.
    public var made: Timestamp
    /// When it was used last, to some minutes.
    public var used: Timestamp

    /// A session with all its fields.
    public init(
        digest: String, name: String, token: String?, level: AccessLevel, address: String, made: Timestamp,
        used: Timestamp
    ) {
        self.digest = digest
        self.name = name
        self.token = token
        self.level = level
        self.address = address
        self.made = made
        self.used = used
    }

    /// How long a session that may only read lasts, such as that of a display on a wall: as long as browsers keep a cookie at most.
    private static let readingTime = Duration.seconds(400 * 86_400)
    /// How long any other lasts after it was used.
    private static let idleTime = Duration.seconds(12 * 3_600)

    /// When it ends.
    public var ends: Timestamp {
        level == .read ? made.advanced(by: Self.readingTime) : used.advanced(by: Self.idleTime)
    }
}
