/// What a change of a zone's offset does to one clock time of a rule.
package struct ClockChange: Sendable, Hashable {
    /// What becomes of the clock time.
    package enum Effect: String, Sendable, Hashable, CaseIterable {
        /// The clock skips it, and it counts at another.
        case moved
        /// The clock skips it, and it is left out.
        case leftOut = "left-out"
        /// The clock shows it twice, and this is the first.
        case first
        /// The clock shows it twice, and this is the second.
        case second
    }

    /// What becomes of it.
    package var effect: Effect
    /// The clock time of the rule.
    package var clock: LocalDateTime
    /// What the clock skips, or shows twice.
    package var span: Range<LocalDateTime>
    /// What the clock shows when a skipped time counts; nil if none was skipped or it is left out.
    package var shown: LocalDateTime?

    /// In words: `02:30 does not exist this day, the clock skips 02:00 to 03:00: 03:30 instead`.
    package var text: String {
        let isOneDay = ([span.upperBound, clock] + (shown.map { [$0] } ?? [])).allSatisfy {
            $0.dayNumber == span.lowerBound.dayNumber
        }
        // Where the change crosses midnight, a time alone does not say which day's.
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
    /// What daylight saving does to a time that is written; nil: nothing, or both of two count.
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
