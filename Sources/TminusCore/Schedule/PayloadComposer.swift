/// Composes the payload of a firing, once for all its sinks.
struct PayloadComposer {
    let definition: Definition
    let now: Timestamp

    /// The payload about expiries that were not sent.
    func payload(_ omission: Omission, _ texts: inout InstantTexts) -> Payload {
        let action = DueAction(
            occurrence: omission.occurrence, action: .missed(omission.reason), due: omission.due, sinks: [])
        var payload = payload(action, isCatchUp: false, &texts)
        payload.missed = Payload.Missed(reason: omission.reason, count: omission.count)
        if omission.count > 1 {
            payload.message = "\(definition.name) was missed \(omission.count) times: \(omission.reason.words)"
        }
        return payload
    }

    /// The payload of an action that fires at `now`.
    func payload(_ action: DueAction, isCatchUp: Bool, _ texts: inout InstantTexts) -> Payload {
        let times = texts.times(of: action, in: definition.zone, now: now)
        var before: Payload.Amount?
        if case .reminder(let lead, let side) = action.action {
            before = Payload.Amount(
                nanoseconds: action.due.duration(to: action.occurrence).nanoseconds,
                text: side == .before ? lead.text : "\(lead.text) after")
        }
        var elapsed: Payload.Amount?
        if case .elapsed(let time) = action.action {
            elapsed = Payload.Amount(nanoseconds: time.nanoseconds, text: Self.words(time))
        }
        return Payload(
            of: definition, times: times, before: before, isCatchUp: isCatchUp,
            message: message(action, isCatchUp: isCatchUp, remaining: times.value.remaining.text), elapsed: elapsed)
    }

    private static func words(_ time: Duration) -> String { CalendarSpan(nanoseconds: time.nanoseconds).text }

    private func message(_ action: DueAction, isCatchUp: Bool, remaining: String) -> String {
        let name = definition.name
        let isEvent = definition.kind == .event
        switch action.action {
        case .expiry:
            // Concatenated instead of interpolated, for speed: nearly every firing has one of these messages.
            let message = isEvent ? name + " is due" : name + " has ended"
            return isCatchUp ? "\(message), \(remaining)" : message
        case .reminder(let lead, .before):
            let left = isCatchUp ? remaining : lead.text
            return isEvent ? "Upcoming event: \(name) in \(left)" : "\(name) ends in \(left)"
        case .reminder(let lead, .after):
            let ago = isCatchUp ? remaining : "\(lead.text) ago"
            return isEvent ? "\(name) was due \(ago)" : "\(name) ended \(ago)"
        case .snoozed:
            return isEvent ? "\(name) was due \(remaining)" : "\(name) ended \(remaining)"
        case .elapsed(let time):
            return "\(name) has run for \(Self.words(time))\(isCatchUp ? ", \(remaining)" : "")"
        case .missed(let reason):
            return "\(name) was missed: \(reason.words)"
        case .failure:
            return "a delivery of \(name) failed"
        case .test:
            return "\(name): test delivery"
        }
    }
}
