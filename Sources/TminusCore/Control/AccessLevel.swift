/// What a client may do. Each level includes those before it.
public enum AccessLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    /// What tells nothing: health, the files of the page, signing in.
    case open
    /// Look: items, their changes, the daemon's standing, metrics.
    case read
    /// Act: every control, what has no file, history and deliveries with their output.
    case control
    /// Change files, and with them the commands that the daemon runs as its user.
    case edit
    /// The control socket: everything.
    case socket

    /// The levels that a token or a session can have.
    public static let granted: [AccessLevel] = [.read, .control, .edit]

    public static func < (one: AccessLevel, other: AccessLevel) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .open: 0
        case .read: 1
        case .control: 2
        case .edit: 3
        case .socket: 4
        }
    }
}
