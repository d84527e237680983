package import TminusControl
package import TminusCore

/// What `tminus deliveries` says.
package enum DeliveryText {
    /// A line for each; with details, what each attempt came to as well.
    package static func render(_ deliveries: [DeliveryAnswer], isDetailed: Bool, zone: Zone) -> String {
        if deliveries.isEmpty { return "No such deliveries.\n" }
        return deliveries.flatMap { lines($0, isDetailed: isDetailed, zone: zone) }
            .map { SafeText.line($0) + "\n" }.joined()
    }

    static func lines(_ delivery: DeliveryAnswer, isDetailed: Bool, zone: Zone) -> [String] {
        var text = "\(HistoryText.local(delivery.due, zone))  \(delivery.definition) "
        text += "\(AnswerText.action(delivery.action)) to \(delivery.sink): \(delivery.state)"
        if delivery.attempts > 1 { text += " after \(delivery.attempts) attempts" }
        if let reason = delivery.reason { text += ", because \(reason)" }
        if let next = delivery.nextAttempt { text += ", next attempt \(HistoryText.local(next, zone))" }
        text += "  \(delivery.id)"
        guard isDetailed else { return [text] }
        return [text] + delivery.log.flatMap { attempt(of: $0, zone) }
    }

    private static func attempt(of attempt: DeliveryAnswer.Attempt, _ zone: Zone) -> [String] {
        var text = "  attempt \(attempt.number), \(HistoryText.local(attempt.started, zone)): \(attempt.outcome)"
        if let status = attempt.exitStatus { text += ", exit status \(status)" }
        if let status = attempt.httpStatus { text += ", HTTP status \(status)" }
        if let reason = attempt.reason { text += ", because \(reason)" }
        var lines = [text]
        for (name, value) in [("output", attempt.output), ("errors", attempt.errors), ("answer", attempt.body)] {
            guard let value, !value.isEmpty else { continue }
            lines += value.split(separator: "\n").map { "    \(name): \($0)" }
        }
        return lines
    }
}
