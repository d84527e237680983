/// Why nothing is sent as a test.
package enum TestRefusal: Error, Sendable, Hashable {
    /// There is no such reminder; the lead times that there are.
    case noReminder(leads: [String])
    /// The action goes to no such sink; those to which it goes.
    case noSink(sinks: [SinkKey])
    /// The lead time cannot be read, with the reason.
    case badLead(String)
}

extension Firing {
    /// How much longer than the time limit of a sink an outcome is waited for: an attempt may have to be ended and recorded.
    package static let waitMargin = Duration.seconds(5)

    /// How long outcomes are waited for at the most, whatever time limits the sinks have.
    package static let longestWait = Duration.seconds(900)

    /// The expiry of a definition, the alert of a stopwatch or a reminder, as a person has it sent now to try it. It is no part of
    /// the schedule, and its payload says so.
    ///
    /// - Parameters:
    ///   - reminder: The lead time of a reminder, such as `1 day`; nil for the expiry.
    ///   - sink: To that sink alone: its name, or the kind of one that is written inside the action.
    package static func test(
        of definition: Definition, reminder: String?, sink: String?, now: Timestamp
    ) throws(TestRefusal) -> Firing {
        let tried = try DueAction.tried(of: definition, reminder: reminder, now: now)
        var sinks = tried.sinks
        if let sink {
            sinks = sinks.filter { $0.rawValue == sink || $0.rawValue.hasPrefix("\(sink):") }
        }
        guard !sinks.isEmpty else { throw .noSink(sinks: tried.sinks) }
        var payload = PayloadComposer(definition: definition, now: now).payload(tried, isCatchUp: false)
        payload.markAsTest()
        // Beside whatever else is on its way: a test waits for nothing and holds nothing up.
        return Firing(
            definition: definition.id, occurrence: tried.occurrence, action: .test(of: tried.action.kind, at: now),
            due: now, payload: payload, sinks: sinks,
            overlaps: Dictionary(sinks.map { ($0, .allow) }, uniquingKeysWith: { first, _ in first }))
    }
}

extension DueAction {
    /// An action as if it were due now.
    fileprivate static func tried(
        of definition: Definition, reminder: String?, now: Timestamp
    ) throws(TestRefusal) -> DueAction {
        guard let reminder else {
            if case .stopwatch = definition.schedule {
                return DueAction(occurrence: now, action: .elapsed(.zero), due: now, sinks: definition.onElapsed)
            }
            return DueAction(occurrence: now, action: .expiry, due: now, sinks: definition.onExpiry)
        }
        let lead: CalendarSpan
        switch CalendarSpan.parse(reminder) {
        case .success(let span): lead = span
        case .failure(let problem): throw .badLead(problem.message)
        }
        guard let found = definition.reminders.first(where: { $0.lead == lead }) else {
            throw .noReminder(leads: definition.reminders.map(\.lead.text))
        }
        let sign = found.side == .before ? 1 : -1
        let day = definition.zone.local(now).adding(
            months: sign * lead.months.clamped(to: 0...1_000), days: sign * lead.days.clamped(to: 0...36_500))
        let occurrence = definition.zone.instant(of: day).advanced(by: .nanoseconds(lead.nanoseconds) * sign)
        return DueAction(occurrence: occurrence, action: found.action, due: now, sinks: found.actions)
    }
}
