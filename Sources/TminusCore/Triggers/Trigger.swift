/// The rule that yields the occurrences of an event.
public enum Trigger: Sendable, Hashable {
    /// These instants, ascending and without duplicates, and what daylight saving did to the times as written.
    case at([Timestamp], changes: [ClockChange] = [])
    /// Equal intervals.
    case every(EveryTrigger)
    /// A cron expression.
    case cron(CronTrigger)
    /// A recurrence rule.
    case recurrence(RecurrenceTrigger)

    /// The given times within the bounds; `count` counts from `start`.
    public static func at(
        _ times: [DateOrTime], in zone: Zone, daylightSaving: DaylightSaving = .compatible,
        bounds: TriggerBounds = TriggerBounds()
    ) -> Trigger {
        let instants = times.flatMap { $0.instants(in: zone, daylightSaving) }
        let sorted = Set(instants).sorted()
        var limits = BoundInstants(bounds, in: zone)
        if let count = bounds.count {
            let counted = sorted.filter { $0 >= limits.first }.prefix(max(0, count))
            limits.last = min(limits.last, counted.last ?? .distantPast)
        }
        var kept: [Timestamp] = []
        var next = limits.next(after: .distantPast, Trigger.at(sorted).next)
        while let instant = next {
            kept.append(instant)
            next = limits.next(after: instant, Trigger.at(sorted).next)
        }
        return .at(kept, changes: changes(of: times, in: zone, daylightSaving, limits, kept: kept))
    }

    /// The written times within the bounds that the clock skips.
    private static func changes(
        of times: [DateOrTime], in zone: Zone, _ daylightSaving: DaylightSaving, _ limits: BoundInstants,
        kept: [Timestamp]
    ) -> [ClockChange] {
        let changes = times.compactMap { time -> (instant: Timestamp, change: ClockChange)? in
            guard let change = time.clockChange(in: zone, daylightSaving), change.effect != .first else { return nil }
            let instant = time.earliest(in: zone)
            let isWithin =
                change.effect == .leftOut
                ? limits.next(after: .distantPast) { $0 < instant ? instant : nil } != nil : kept.contains(instant)
            return isWithin ? (instant, change) : nil
        }
        return changes.sorted { $0.instant < $1.instant }.map(\.change)
    }

    /// The first occurrence strictly after `instant`; nil if there is none.
    ///
    /// The function is pure, and every search is bounded, whatever the rule.
    public func next(after instant: Timestamp) -> Timestamp? {
        switch self {
        case .at(let instants, _):
            let index = instants.count(upTo: instant)
            return index < instants.count ? instants[index] : nil
        case .every(let trigger): return trigger.next(after: instant)
        case .cron(let trigger): return trigger.next(after: instant)
        case .recurrence(let trigger): return trigger.next(after: instant)
        }
    }

    /// Why nothing occurs after an instant, for diagnostics; nil if something does.
    public func idleReason(after instant: Timestamp) -> String? {
        guard next(after: instant) == nil else { return nil }
        return next(after: .distantPast) == nil
            ? "never fires" : "never fires again: all its occurrences are in the past"
    }

    /// A text that is equal for equal rules and differs for different ones. Stored states identify their rule by it.
    package var canonicalText: String {
        switch self {
        case .at(let instants, _): "at " + instants.map { String($0.nanoseconds) }.joined(separator: ",")
        case .every(let trigger): trigger.canonicalText
        case .cron(let trigger): trigger.canonicalText
        case .recurrence(let trigger): trigger.canonicalText
        }
    }
}
