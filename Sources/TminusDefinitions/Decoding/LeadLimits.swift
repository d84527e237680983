import TminusCore

/// Limits what the lead times of one definition may ask for: the daemon visits each occurrence within each of them.
struct LeadLimits {
    /// The most lead times of a definition.
    static let count = 1_000
    /// From more occurrences than this within a lead time on, it is likely a mistake: a warning.
    static let unusual = 1_000
    /// The most occurrences within a lead time: an error beyond.
    static let occurrences = 1_000_000

    /// The rule of the event.
    let trigger: Trigger
    /// The zone in which lead times are counted.
    let zone: Zone
    /// The instant that separates past and future.
    let now: Timestamp

    /// How the lead times exceed the limits, in the same order; nil for one that does not. Counted from the next
    /// occurrence on.
    func excesses(of leads: [CalendarSpan]) -> [Excess?] {
        guard let first = trigger.next(after: now) else { return leads.map { _ in nil } }
        let ends = leads.map { zone.instant($0, .after, of: first) }
        let last = ends.max() ?? first
        guard let unusual = trigger.occurrence(Self.unusual + 1, after: first, upTo: last) else {
            return leads.map { _ in nil }
        }
        let tooMany = trigger.occurrence(Self.occurrences + 1, after: first, upTo: last)
        return ends.map { end in
            if let tooMany, tooMany <= end { return .tooMany }
            return unusual <= end ? .unusual : nil
        }
    }

    /// How a lead time exceeds the limits.
    enum Excess {
        /// By more than ``LeadLimits/unusual`` occurrences.
        case unusual
        /// By more than ``LeadLimits/occurrences``.
        case tooMany

        /// The severity of the diagnostic.
        var severity: Diagnostic.Severity {
            switch self {
            case .unusual: .warning
            case .tooMany: .error
            }
        }

        /// The text of the diagnostic.
        var message: String {
            switch self {
            case .unusual: "the event occurs more than 1000 times within this lead time; is a shorter one meant?"
            case .tooMany: "the event occurs more than a million times within this lead time; write a shorter one"
            }
        }
    }
}

extension ScheduleDecoder {
    /// Reports lead times of an event within which it occurs too often: each at its place, or those of `defaults` at
    /// `range`.
    func report(
        _ own: [(item: ReminderItem, node: Node)]?, orDefaults shared: [ReminderItem]?, of event: Event, in zone: Zone,
        at range: SourceRange
    ) {
        let limits = LeadLimits(trigger: event.trigger, zone: zone, now: now)
        guard let own else {
            let excesses = limits.excesses(of: (shared ?? []).map(\.lead)).compactMap(\.self)
            if let worst = excesses.first(where: { $0 == .tooMany }) ?? excesses.first {
                diagnostics.report(worst.severity, "\(worst.message); it comes from 'defaults'", at: range)
            }
            return
        }
        for (excess, lead) in zip(limits.excesses(of: own.map(\.item.lead)), own) {
            if let excess { diagnostics.report(excess.severity, excess.message, at: lead.node.range) }
        }
    }
}
