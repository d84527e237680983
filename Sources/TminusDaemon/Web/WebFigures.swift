internal import Synchronization
internal import TminusCore

/// What the doors over TCP count.
final class WebFigures: Sendable {
    /// A kind of answered request. Its values come from closed lists.
    struct Answered: Sendable, Hashable {
        /// The path of a route, such as `/items/{id}`; `other` for an unknown path or method.
        var route: String
        /// `GET`, `HEAD`, `POST`, `PUT`, `DELETE` or `other`.
        var method: String
        /// The status code.
        var code: Int
    }

    /// A group of routes whose answers take similar time.
    enum Group: String, Sendable, Hashable, CaseIterable {
        case page, api, metrics

        /// The group of a route.
        init(route: String) {
            self = route == "/" || route.hasPrefix("/page/") ? .page : route.hasPrefix("/metrics") ? .metrics : .api
        }
    }

    /// The counts so far.
    struct Counts: Sendable {
        var answered: [Answered: UInt64] = [:]
        var durations: [Group: Histogram] = [:]
        var refusals: [WebRefusal: UInt64] = [:]
    }

    private let state = Mutex(Counts())

    /// A connection or request was refused.
    func refused(_ reason: WebRefusal) { state.withLock { $0.refusals[reason, default: 0] += 1 } }

    /// A request was answered after that time.
    func answered(_ request: Answered, after time: Duration) {
        let group = Group(route: request.route)
        state.withLock { counts in
            counts.answered[request, default: 0] += 1
            counts.durations[group, default: .http].observe(time)
        }
    }

    /// The counts so far.
    var counts: Counts { state.withLock(\.self) }
}
