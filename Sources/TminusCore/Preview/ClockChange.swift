/// The effect of an offset change on one clock time of a rule.
public struct ClockChange: Sendable, Hashable {
    /// The kind of effect.
    public enum Effect: String, Sendable, Hashable, CaseIterable {
        /// The clock skips the time; another time replaces it.
        case moved
        /// The clock skips the time; it is dropped.
        case leftOut = "left-out"
        /// The clock shows the time twice; this is the first.
        case first
        /// The clock shows the time twice; this is the second.
        case second
    }

    /// The kind of effect.
    public var effect: Effect
    /// The clock time according to the rule.
    public var clock: LocalDateTime
    /// The span that the clock skips or shows twice.
    public var span: Range<LocalDateTime>
    /// The clock time that replaces a skipped one; nil otherwise.
    public var shown: LocalDateTime?

    /// In words: `02:30 does not exist this day, the clock skips 02:00 to 03:00: 03:30 instead`.
    public var text: String {
        let isOneDay = ([span.upperBound, clock] + (shown.map { [$0] } ?? [])).allSatisfy {
            $0.dayNumber == span.lowerBound.dayNumber
        }
        // If the change crosses midnight, a time alone is ambiguous.
        func time(_ local: LocalDateTime) -> String {
            isOneDay ? local.shortTimeText : "\(local.dateText) \(local.shortTimeText)"
        }
        let day = isOneDay ? " this day" : ""
        let skip =
            "\(time(clock)) does not exist\(day), the clock skips \(time(span.lowerBound)) to \(time(span.upperBound))"
        switch effect {
        case .moved: return "\(skip): \(shown.map(time) ?? "later") instead"
        case .leftOut: return "\(skip): left out"
        case .first: return "\(clock.shortTimeText) comes twice this day: the first"
        case .second: return "\(clock.shortTimeText) comes twice this day: the second"
        }
    }
}

extension DateOrTime {
    /// The effect of daylight saving on a written time; nil if there is none, or if both of two instants count.
    package func clockChange(in zone: Zone, _ daylightSaving: DaylightSaving) -> ClockChange? {
        let local: LocalDateTime
        switch self {
        case .instant: return nil
        case .day(let written), .local(let written): local = written
        }
        switch zone.resolve(local) {
        case .unique: return nil
        case .gap(_, let after):
            guard let change = zone.lastChange(at: after) else { return nil }
            let isLeftOut = daylightSaving == .skip
            return ClockChange(
                effect: isLeftOut ? .leftOut : .moved, clock: local, span: change.clocks,
                shown: isLeftOut ? nil : zone.local(after))
        case .overlap(let first, _):
            guard daylightSaving != .both, let change = zone.nextChange(after: first) else { return nil }
            return ClockChange(effect: .first, clock: local, span: change.clocks)
        }
    }
}
