internal import TminusControl
internal import TminusCore

/// Who sends a request, and what they may do.
struct Access: Sendable, Hashable {
    /// What they may do.
    let level: AccessLevel
    /// The name under which state and log record what they do: that of a token, or of a user of the control socket, with the
    /// delivery whose hook sent the request. Empty for a stranger.
    let name: String
    /// Why the door gives less than ``AccessLevel/edit`` to everybody; nil if it does not.
    var cut: Cut?

    /// A reason why nobody may edit by this way.
    enum Cut: Sendable, Hashable { case off, notEncrypted }

    /// Somebody of whom nothing is known.
    static let nobody = Access(level: .open, name: "")

    /// Whether it is known who they are.
    var isKnown: Bool { !name.isEmpty }

    /// Refuses what is not allowed at this level.
    ///
    /// - Parameter subject: What needs the level, such as `'then'`.
    /// - Throws: ``Problem``: `unauthorized` for a stranger, else `forbidden`.
    func require(_ needed: AccessLevel, for subject: String = "this") throws(Problem) {
        guard level < needed else { return }
        guard isKnown else {
            throw Problem(
                .unauthorized, "\(subject) needs level \(needed.rawValue), and nobody is signed in; you may \(means)")
        }
        if needed == .edit, let cut { throw Problem(.forbidden, "\(subject) needs level edit; \(cut.words)") }
        throw Problem(
            .forbidden, "\(subject) needs level \(needed.rawValue); '\(name)' has level \(level.rawValue)")
    }

    private var means: String { level == .read ? "only read" : "only see health" }
}

extension Access.Cut {
    /// The way out, after what needs it.
    fileprivate var words: String {
        switch self {
        case .off: "nobody may edit over TCP unless the daemon runs with --allow-edit"
        case .notEncrypted: "nobody may edit over plain HTTP from another machine: use TLS"
        }
    }
}
