internal import NIOCore
internal import Synchronization

/// The connections of those who showed a token or a session, so that what they follow ends when they may not any more.
final class Guests: Sendable {
    /// What somebody showed.
    enum Proof: Sendable, Hashable {
        /// The SHA-256 of a token.
        case token(String)
        /// The SHA-256 of the secret of a session.
        case session(String)
    }

    private let open = Mutex<[Proof: [ObjectIdentifier: any Channel]]>([:])

    /// Somebody showed this on a connection.
    func came(_ proof: Proof, on channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let isNew = open.withLock { open in
            open[proof, default: [:]].updateValue(channel, forKey: id) == nil
        }
        guard isNew else { return }
        channel.closeFuture.whenComplete { [self] _ in
            open.withLock { open in
                open[proof]?[id] = nil
                if open[proof]?.isEmpty == true { open[proof] = nil }
            }
        }
    }

    /// Closes all connections whose token or session is no longer valid, except one that still needs its answer.
    func closeUnless(_ isValid: (Proof) -> Bool, except own: (any Channel)? = nil) {
        let shown = open.withLock { Array($0.keys) }
        for proof in shown where !isValid(proof) {
            for channel in open.withLock({ $0[proof].map { Array($0.values) } ?? [] }) where channel !== own {
                channel.close(promise: nil)
            }
        }
    }
}
