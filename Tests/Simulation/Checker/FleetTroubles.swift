/// When the machines beside a leader cannot be expected to deliver: while the claims of one wait that is gone or cut off, and while there is
/// none.
struct FleetTroubles {
    /// The machines whose claims wait, since when.
    private var awaited: [Int: Nanoseconds] = [:]
    /// The machines that deliver beside the leader.
    private var present: Set<Int> = []
    /// Since when there is none; at the beginning there is none.
    private var aloneSince: Nanoseconds? = 0
    private var away: [Course.Stretch] = []
    private var alone: [Course.Stretch] = []

    /// Notes what happened to one of them.
    mutating func note(_ event: Happened, at steady: Nanoseconds) {
        switch event {
        case .follows(let process): arrive(process, at: steady)
        case .reconnected(let process):
            arrive(process, at: steady)
            returned(process, at: steady)
        case .claimsReleased(let process): returned(process, at: steady)
        case .followerLeaves(let process), .followerGone(let process):
            awaited[process] = awaited[process] ?? steady
            present.remove(process)
            if present.isEmpty { aloneSince = aloneSince ?? steady }
        default: break
        }
    }

    /// The stretches in which claims waited, and in which the leader was alone, in order.
    func stretches(until end: Nanoseconds) -> (away: [Course.Stretch], alone: [Course.Stretch]) {
        let waiting = awaited.values.sorted().map { Course.Stretch(from: $0, to: end, isBlind: false) }
        let solitude = aloneSince.map { [Course.Stretch(from: $0, to: end, isBlind: false)] } ?? []
        return ((away + waiting).sorted { $0.from < $1.from }, alone + solitude)
    }

    private mutating func arrive(_ process: Int, at steady: Nanoseconds) {
        present.insert(process)
        if let since = aloneSince { alone.append(Course.Stretch(from: since, to: steady, isBlind: false)) }
        aloneSince = nil
    }

    private mutating func returned(_ process: Int, at steady: Nanoseconds) {
        guard let since = awaited.removeValue(forKey: process) else { return }
        away.append(Course.Stretch(from: since, to: steady, isBlind: false))
    }
}
