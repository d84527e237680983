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
    /// by action, in order. A pair is one change, even if one of the two lies beyond the end of its forecast. A firing
    /// without a counterpart is added or removed. Each change concerns a firing of at least one of the forecasts.
    static func between(_ before: Forecast, _ after: Forecast) -> [FiringChange] {
        let (shownBefore, shownAfter) = (Set(before.firings), Set(after.firings))
        let (old, new) = extended(before, after)
        let common = Set(old.firings).intersection(new.firings)
        // A firing that the other forecast does not cover may be in it.
        let lost = Dictionary(grouping: old.firings.filter { !common.contains($0) && new.knows($0) }, by: \.action)
        let gained = Dictionary(grouping: new.firings.filter { !common.contains($0) && old.knows($0) }, by: \.action)
        var changes: [FiringChange] = []
        for action in Set(lost.keys).union(gained.keys) {
            let (from, to) = (lost[action] ?? [], gained[action] ?? [])
            let pairs = min(from.count, to.count)
            changes += zip(from, to)
                .filter { $0.due != $1.due && (shownBefore.contains($0) || shownAfter.contains($1)) }
                .map { FiringChange.moved(from: $0, to: $1) }
            changes += from.dropFirst(pairs).filter(shownBefore.contains).map(FiringChange.removed)
            changes += to.dropFirst(pairs).filter(shownAfter.contains).map(FiringChange.added)
        }
        return changes.sorted { ($0.instant, $0.order) < ($1.instant, $1.order) }
    }

    /// The maximum number of firings that are computed to find counterparts.
    private static let longest = 2_000

    /// Both forecasts, extended until each firing of one has its counterpart in the other, and both cover the same time.
    ///
    /// A counterpart lies before the end of the longer forecast, or it is one of the next firings of its action after
    /// that: at most as many as the other forecast has.
    private static func extended(_ before: Forecast, _ after: Forecast) -> (before: Forecast, after: Forecast) {
        let end = max(before.firings.last?.due ?? .distantPast, after.firings.last?.due ?? .distantPast)
        func long(_ forecast: Forecast, beside other: Forecast) -> Forecast {
            var needed = Dictionary(other.firings.map { ($0.action, 1) }, uniquingKeysWith: +)
                .filter { forecast.actions.contains($0.key) }
            var seen = 0
            var result = forecast
            result.extend(limit: longest) { due, firings in
                for firing in firings[seen...] where firing.due > end {
                    if let rest = needed[firing.action] { needed[firing.action] = rest > 1 ? rest - 1 : nil }
                }
                seen = firings.count
                return due <= end || !needed.isEmpty
            }
            return result
        }
        var (old, new) = (long(before, beside: after), long(after, beside: before))
        let last = max(old.firings.last?.due ?? end, new.firings.last?.due ?? end)
        old.extend(limit: longest) { due, _ in due <= last }
        new.extend(limit: longest) { due, _ in due <= last }
        return (old, new)
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
