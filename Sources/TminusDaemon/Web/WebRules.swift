internal import TminusCore

/// What the doors over TCP give to whom.
struct WebRules: Sendable, Hashable {
    /// Whether programs of this machine need a token to read.
    var isPrivate = false
    /// Whether anybody may edit over TCP.
    var allowsEdit = false

    /// The access of a client without a token and session.
    func access(of client: WebClient) -> Access {
        Access(level: client.isLocal && !isPrivate ? .read : .open, name: "", cut: cut(client))
    }

    /// What somebody may do who showed that they are `name` and have a level.
    func access(_ name: String, _ level: AccessLevel, _ client: WebClient) -> Access {
        let cut = cut(client)
        return Access(level: cut == nil ? level : min(level, .control), name: name, cut: cut)
    }

    /// Why nobody may edit by this way.
    private func cut(_ client: WebClient) -> Access.Cut? {
        guard allowsEdit else { return .off }
        return client.isSecure ? nil : .notEncrypted
    }
}
