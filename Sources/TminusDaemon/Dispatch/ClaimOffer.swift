internal import Synchronization
internal import TminusCore

/// The room that a dispatcher has to spare, for who writes firings: what is due at once is claimed as it is written, and needs not
/// be looked for.
final class ClaimOffer: Sendable {
    private struct State {
        var offered: (request: ClaimRequest, at: Timestamp)?
        /// How many were claimed by it, of each sink, of which the dispatcher has not taken note.
        var taken: [SinkKey: Int] = [:]

        /// Counts these in or out.
        mutating func count(_ claimed: [ClaimedDelivery], _ sign: Int) {
            var rest = claimed[...]
            // Many in a row are for one sink.
            while let sink = rest.first?.sink {
                let others = rest.drop { $0.sink == sink }
                taken[sink, default: 0] += sign * (rest.count - others.count)
                if taken[sink] == 0 { taken[sink] = nil }
                rest = others
            }
        }
    }

    private let state = Mutex(State())

    /// Offers that room, in the place of what was offered before; nil: none. It counts `begun`, and nothing that was claimed since.
    func make(_ request: ClaimRequest?, at now: Timestamp, begun: [ClaimedDelivery] = []) {
        state.withLock { state in
            state.offered = request.map { ($0, now) }
            state.count(begun, -1)
        }
    }

    /// What may be claimed at `now`; nil if nothing may.
    func request(at now: Timestamp) -> ClaimRequest? {
        state.withLock { state in
            guard let (request, at) = state.offered else { return nil }
            var current = request
            current.until = request.until.advanced(by: max(.zero, at.duration(to: now)))
            for (sink, count) in state.taken {
                current.limit -= count
                current.room[sink, default: request.otherRoom] -= count
            }
            return current.limit > 0 ? current : nil
        }
    }

    /// Takes note that these have been claimed, until an offer counts them.
    func take(_ claimed: [ClaimedDelivery]) {
        state.withLock { $0.count(claimed, 1) }
    }
}
