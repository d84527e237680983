/// When the machines of a fleet cannot be expected to deliver all: while one is gone whose claims wait, and while none delivers beside the
/// leader, because some sinks are served by those alone.
struct FleetTroubles {
    /// The machines whose claims wait, since when.
    private var awaited: [Int: Nanoseconds] = [:]
    /// The machines that deliver beside the leader.
    private var present: Set<Int> = []
    /// Since when there is none.
    private var aloneSince: Nanoseconds?

    /// Notes what happened. Returns the stretches of trouble that end with it.
    mutating func note(_ event: Happened, at steady: Nanoseconds) -> [Course.Stretch] {
        var since: [Nanoseconds] = []
        switch event {
        case .follows(let process):
            present.insert(process)
            since = take(&aloneSince)
        case .reconnected(let process):
            present.insert(process)
            since = take(&aloneSince) + take(&awaited[process])
        case .claimsReleased(let process): since = take(&awaited[process])
        case .followerLeaves(let process), .followerGone(let process):
            awaited[process] = awaited[process] ?? steady
            present.remove(process)
            if present.isEmpty { aloneSince = aloneSince ?? steady }
        default: break
        }
        return since.map { Course.Stretch(from: $0, to: steady, isBlind: false) }
    }

    /// Since when there is trouble that has not ended.
    var open: [Nanoseconds] { (awaited.values + [aloneSince].compactMap(\.self)).sorted() }

    private func take(_ since: inout Nanoseconds?) -> [Nanoseconds] {
        defer { since = nil }
        return [since].compactMap(\.self)
    }
}
