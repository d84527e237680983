/// A difference between the upcoming firings of two versions of a definition.
package enum FiringChange: Sendable, Hashable {
    /// The firing exists only afterwards.
    case added(ComingFiring)
    /// The firing exists only before.
    case removed(ComingFiring)
    /// The same action, at another instant.
    case moved(from: ComingFiring, to: ComingFiring)

    /// The instant by which changes are sorted.
    var instant: Timestamp {
        switch self {
        case .added(let firing), .removed(let firing): firing.due
        case .moved(let from, let to): min(from.due, to.due)
        }
    }

    /// The differences of two forecasts, sorted by instant.
    ///
    /// Firings with the same action, occurrence and instant on both sides are equal. The remaining firings are paired
    /// by action, in order. A firing beyond the end of the other forecast counts neither as added nor as removed.
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
    /// Whether the forecast covers the instant of that firing.
    fileprivate func knows(_ firing: ComingFiring) -> Bool {
        end.map { firing.due <= $0 } ?? true
    }
}
