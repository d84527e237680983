package import TminusControl
package import TminusCore

/// The text of `tminus deliveries`.
package enum DeliveryText {
    /// Renders one line for each delivery and, with details, the result of each attempt. Times are local to each
    /// definition's zone, or to `zone` if that is unknown.
    package static func render(
        _ deliveries: [DeliveryAnswer], isDetailed: Bool, zones: [String: Zone], otherwise zone: Zone
    ) -> String {
        if deliveries.isEmpty { return "No such deliveries.\n" }
        return deliveries.indices.flatMap { index in
            let delivery = deliveries[index]
            let isQueued = delivery.state == DeliveryState.queued.rawValue
            let former = isQueued ? deliveries[(index + 1)...].first { $0.holdsUp(delivery) } : nil
            return lines(delivery, isDetailed: isDetailed, zone: zones[delivery.definition] ?? zone, former: former)
        }.map { SafeText.line($0) + "\n" }.joined()
    }

    /// The first digits of an id, enough to tell it from those of other deliveries in a list.
    static func short(_ id: String) -> String { String(id.prefix(8)) }

    /// The lines of one delivery: one with the short id, or with details the whole id and a line for each attempt.
    ///
    /// - Parameter former: The delivery that a queued one waits for, if it is known.
    static func lines(
        _ delivery: DeliveryAnswer, isDetailed: Bool, zone: Zone, former: DeliveryAnswer? = nil
    ) -> [String] {
        let isRunning = delivery.state == DeliveryState.claimed.rawValue
        var text = "\(HistoryText.local(delivery.due, zone))  \(delivery.definition) "
        let waitsForSink = delivery.waitsForSink == true
        let state = isRunning ? "running" : waitsForSink ? "waiting for sink" : delivery.state
        text += "\(AnswerText.action(delivery.action)) to \(delivery.sinkTitle): \(state)"
        if delivery.attempts > 1 { text += " after \(delivery.attempts) attempts" }
        if let reason = delivery.message { text += ", because \(reason)" }
        // While an attempt runs, `nextAttempt` is the time of that attempt. A queued delivery waits for the end of another
        // one, whose time nobody knows.
        if delivery.state == DeliveryState.queued.rawValue {
            if !waitsForSink { text += ", waits for \(former.map { short($0.id) } ?? "another delivery")" }
        } else if !isRunning, !waitsForSink, let next = delivery.nextAttempt {
            text += ", next attempt \(HistoryText.local(next, zone))"
        }
        guard isDetailed else { return ["\(text)  \(short(delivery.id))"] }
        text += "  \(delivery.id)"
        return [text] + delivery.log.flatMap { attempt(of: $0, zone) }
    }

    private static func attempt(of attempt: DeliveryAnswer.Attempt, _ zone: Zone) -> [String] {
        var text = "  attempt \(attempt.number), \(HistoryText.local(attempt.started, zone))"
        if let machine = attempt.machine { text += ", on \(machine)" }
        text += ": \(attempt.outcome)"
        let statuses = [
            attempt.exitStatus.map { "exit status \($0)" }, attempt.httpStatus.map { "HTTP status \($0)" },
        ]
        // Often the reason already states the status.
        for status in statuses.compactMap(\.self) where attempt.message?.hasPrefix(status) != true {
            text += ", \(status)"
        }
        if let reason = attempt.message { text += ", because \(reason)" }
        var lines = [text]
        let texts = [
            ("output", attempt.output, attempt.outputCut), ("errors", attempt.errors, attempt.errorsCut),
            ("answer", attempt.body, attempt.bodyCut),
        ]
        for (name, value, cut) in texts {
            guard let value, !value.isEmpty else { continue }
            if cut == .start { lines.append("    \(name): ... (cut)") }
            lines += value.split(separator: "\n").map { "    \(name): \($0)" }
            if cut == .end { lines.append("    \(name): ... (cut)") }
        }
        return lines
    }
}

extension DeliveryAnswer {
    /// Whether a later, queued delivery of the same definition to the same sink waits for this one. Tests hold up
    /// no other. Nor do deliveries with `overlap: allow`, which cannot be told here.
    fileprivate func holdsUp(_ later: DeliveryAnswer) -> Bool {
        let isOpen = DeliveryState(rawValue: state)?.isOpen == true
        return isOpen && definition == later.definition && sink == later.sink && !action.hasPrefix("test:")
    }
}
