/// How the coming firings of a definition differ.
package enum FiringChange: Sendable, Hashable {
    /// There is none like it before.
    case added(ComingFiring)
    /// There is none like it afterwards.
    case removed(ComingFiring)
    /// The same action at another instant.
    case moved(from: ComingFiring, to: ComingFiring)

    /// The first instant that matters.
    var instant: Timestamp {
        switch self {
        case .added(let firing), .removed(let firing): firing.due
        case .moved(let from, let to): min(from.due, to.due)
        }
    }

    /// The differences of two forecasts, in the order of their instants.
    ///
    /// What is due at the same instant before and after is no difference. Of the rest, the first of an action before is taken
    /// for the first of that action after, and so on. Where a forecast was cut off, nothing is said of what may
    /// lie behind its end.
    static func between(_ before: Forecast, _ after: Forecast) -> [FiringChange] {
        var changes: [FiringChange] = []
        let common = Set(before.firings).intersection(after.firings)
        let lost = Dictionary(grouping: before.firings.filter { !common.contains($0) }, by: \.action)
        let gained = Dictionary(grouping: after.firings.filter { !common.contains($0) }, by: \.action)
        for action in Set(lost.keys).union(gained.keys) {
            let (from, to) = (lost[action] ?? [], gained[action] ?? [])
            let pairs = min(from.count, to.count)
            changes += zip(from, to).map { $0.due == $1.due ? nil : .moved(from: $0, to: $1) }.compactMap(\.self)
            changes += from.dropFirst(pairs).filter(after.knows).map(FiringChange.removed)
            changes += to.dropFirst(pairs).filter(before.knows).map(FiringChange.added)
        }
        return changes.sorted { ($0.instant, $0.order) < ($1.instant, $1.order) }
    }

    /// Breaks ties between equal instants.
    private var order: String {
        switch self {
        case .removed(let firing): "0 \(firing.action.rawValue)"
        case .moved(let firing, _): "1 \(firing.action.rawValue)"
        case .added(let firing): "2 \(firing.action.rawValue)"
        }
    }
}

extension Forecast {
    /// Whether a firing at that instant would be in the forecast if there were one.
    fileprivate func knows(_ firing: ComingFiring) -> Bool {
        end.map { firing.due <= $0 } ?? true
    }
}
