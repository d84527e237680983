internal import TminusControl
internal import TminusCore

/// Who sends a request, and what they may do.
struct Access: Sendable, Hashable {
    /// What they may do.
    let level: AccessLevel
    /// Whether they may see paths, outputs and reasons.
    var seesAll: Bool { level >= .control }
    /// The name under which state and log record what they do: that of a token, or of a user of the control socket, with the
    /// delivery whose hook sent the request. Empty for a stranger.
    let name: String
    /// Why the door gives less than ``AccessLevel/edit`` to everybody; nil if it does not.
    var cut: Cut?
    /// The session of the browser; nil if it is none.
    var session: WebSession?
    /// What they showed; nil if that was nothing.
    var proof: Guests.Proof?

    /// A reason why nobody may edit by this way.
    enum Cut: String, Sendable, Hashable, CaseIterable {
        /// The daemon does not allow it over TCP.
        case off
        /// The connection is not encrypted, and leads to another machine.
        case notEncrypted = "not-encrypted"
    }

    /// An anonymous client.
    static let nobody = Access(level: .open, name: "")

    /// Whether it is known who they are.
    var isKnown: Bool { !name.isEmpty }

    /// An item as they may see it.
    func view(of item: Item) -> Item { seesAll ? item : item.forReaders }

    /// Items as they may see them.
    func view(of items: [Item]) -> [Item] { seesAll ? items : items.map(\.forReaders) }

    /// Refuses a request whose route needs a higher level.
    ///
    /// - Parameter subject: What needs the level, such as `'then'`.
    /// - Throws: ``Problem``: `unauthorized` for a stranger, else `forbidden`.
    func require(_ needed: AccessLevel, for subject: String = "this") throws(Problem) {
        guard level < needed else { return }
        guard isKnown else {
            let means = level == .read ? "only read" : "only see health"
            throw Problem(
                .unauthorized, "\(subject) needs level \(needed.rawValue), and nobody is signed in; you may \(means)")
        }
        if needed == .edit, let cut { throw Problem(.forbidden, "\(subject) needs level edit; \(cut.words)") }
        throw Problem(
            .forbidden, "\(subject) needs level \(needed.rawValue); '\(name)' has level \(level.rawValue)")
    }
}

extension Access.Cut {
    /// The way out, after what needs it.
    var words: String {
        switch self {
        case .off: "nobody may edit over TCP unless the daemon runs with --allow-edit"
        case .notEncrypted: "nobody may edit over plain HTTP from another machine: use TLS"
        }
    }
}
