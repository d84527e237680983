internal import NIOCore
internal import Synchronization

/// The connections on which somebody with a token or a session follows the changes, so that this ends when they may not any more.
///
/// Not those of other requests: each of them is judged by itself, and on a connection of a proxy the next one is from somebody else.
final class Guests: Sendable {
    /// What somebody showed.
    enum Proof: Sendable, Hashable {
        /// The SHA-256 of a token.
        case token(String)
        /// The SHA-256 of the secret of a session.
        case session(String)
    }

    private let open = Mutex<[Proof: [ObjectIdentifier: any Channel]]>([:])

    /// Somebody who showed this follows the changes on a connection.
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

    /// Closes all connections whose token or session is no longer valid.
    func closeUnless(_ isValid: (Proof) -> Bool) {
        let shown = open.withLock { Array($0.keys) }
        for proof in shown where !isValid(proof) {
            for channel in open.withLock({ $0[proof].map { Array($0.values) } ?? [] }) {
                channel.close(promise: nil)
            }
        }
    }
}
