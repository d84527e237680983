internal import Synchronization
internal import TminusCore

/// The room that a dispatcher has to spare, for who writes firings: what is due at once is claimed as it is written, and needs not
/// be looked for.
final class ClaimOffer: Sendable {
    private let offered = Mutex<(request: ClaimRequest, at: Timestamp)?>(nil)

    /// Offers that room, in the place of what was offered before; nil: none.
    func make(_ request: ClaimRequest?, at now: Timestamp) {
        offered.withLock { $0 = request.map { ($0, now) } }
    }

    /// What may be claimed at `now`; nil if nothing may.
    func request(at now: Timestamp) -> ClaimRequest? {
        offered.withLock { offered in
            guard let (request, at) = offered, request.limit > 0 else { return nil }
            var current = request
            current.until = request.until.advanced(by: max(.zero, at.duration(to: now)))
            return current
        }
    }

    /// Takes note that these have been claimed, until the dispatcher, which looks at what it was sent when its step is over, makes
    /// another offer. What it then has too much of a sink waits in line there, or is given back.
    func take(_ claimed: [ClaimedDelivery]) {
        guard !claimed.isEmpty else { return }
        offered.withLock { offered in
            guard let otherRoom = offered?.request.otherRoom else { return }
            offered?.request.limit -= claimed.count
            var rest = claimed[...]
            // Many in a row are for one sink.
            while let sink = rest.first?.sink {
                let others = rest.drop { $0.sink == sink }
                offered?.request.room[sink, default: otherRoom] -= rest.count - others.count
                rest = others
            }
        }
    }
}
