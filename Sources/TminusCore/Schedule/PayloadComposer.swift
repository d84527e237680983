/// Composes the payload of a firing, once for all its sinks.
struct PayloadComposer {
    let definition: Definition
    let now: Timestamp

    /// The payload about expiries that were not sent.
    func payload(_ omission: Omission) -> Payload {
        let action = DueAction(
            occurrence: omission.occurrence, action: .missed(omission.reason), due: omission.due, sinks: [])
        var payload = payload(action, isCatchUp: false)
        payload.missed = Payload.Missed(reason: omission.reason, count: omission.count)
        if omission.count > 1 {
            payload.message = "\(definition.name) was missed \(omission.count) times: \(omission.reason.words)"
        }
        return payload
    }

    /// The payload of an action that fires at `now`.
    func payload(_ action: DueAction, isCatchUp: Bool) -> Payload {
        let left = now.duration(to: action.occurrence).nanoseconds
        var payload = Payload(
            id: definition.id.rawValue, kind: definition.kind, name: definition.name,
            description: definition.description, labels: definition.labels,
            due: action.occurrence.rfc3339(in: definition.zone), timezone: definition.zone.name, before: nil,
            remaining: Payload.Amount(nanoseconds: left, text: RemainingText.words(left)), scheduled: action.due,
            fired: now, late: action.due.duration(to: now).nanoseconds, isCatchUp: isCatchUp,
            occurrence: action.occurrence, message: "")
        switch action.action {
        case .reminder(let lead, let side):
            payload.before = Payload.Amount(
                nanoseconds: action.due.duration(to: action.occurrence).nanoseconds,
                text: side == .before ? lead.text : "\(lead.text) after")
        case .elapsed(let time):
            payload.elapsed = Payload.Amount(nanoseconds: time.nanoseconds, text: Self.words(time))
        case .expiry, .snoozed, .failure, .missed, .test: break
        }
        (payload.message, payload.messageBeforeRemaining) = message(of: action.action, in: payload)
        return payload
    }

    private static func words(_ time: Duration) -> String { CalendarSpan(nanoseconds: time.nanoseconds).text }

    /// The message, and what precedes the remaining time in one that gives it.
    private func message(
        of action: FiringAction, in payload: Payload
    ) -> (text: String, beforeRemaining: String?) {
        let name = definition.name
        let isEvent = definition.kind == .event
        let remaining = payload.remaining.text
        switch action {
        case .expiry:
            // Concatenated instead of interpolated, for speed: nearly every firing has one of these messages.
            let text = isEvent ? name + " is due" : name + " has ended"
            return payload.isCatchUp ? (text + ", " + remaining, text + ", ") : (text, nil)
        case .reminder(let lead, .before):
            let beginning = isEvent ? "Upcoming event: \(name) in " : "\(name) ends in "
            return (beginning + (payload.isCatchUp ? remaining : lead.text), beginning)
        case .reminder(let lead, .after):
            let beginning = payload.messageBeforeAge
            return (beginning + (payload.isCatchUp ? remaining : "\(lead.text) ago"), beginning)
        case .snoozed:
            let beginning = payload.messageBeforeAge
            return (beginning + remaining, beginning)
        case .elapsed(let time):
            let text = "\(name) has run for \(Self.words(time))"
            return payload.isCatchUp ? ("\(text), \(remaining)", "\(text), ") : (text, nil)
        case .missed(let reason):
            return ("\(name) was missed: \(reason.words)", nil)
        case .failure:
            return ("a delivery of \(name) failed", nil)
        case .test:
            return ("\(name): test delivery", nil)
        }
    }
}
