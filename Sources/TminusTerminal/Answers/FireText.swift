package import TminusControl
package import TminusCore

/// The output of `tminus fire`.
package enum FireText {
    /// A line for each sink with the outcome of its delivery.
    ///
    /// - Parameters:
    ///   - id: The definition.
    ///   - waited: How long the command waited for the outcomes.
    package static func outcomes(_ answer: FireAnswer, of id: String, waited: Duration, zone: Zone) -> String {
        lines(answer) { delivery in
            let because = delivery.message.map { ": \($0)" } ?? ""
            switch delivery.outcome {
            case .delivered: return "delivered"
            case .retry:
                let next = delivery.nextAttempt.map { " at \(HistoryText.local($0, zone))" } ?? ""
                return "failed, will be retried\(next)\(because)"
            case .dead, .expired, .skipped, .interrupted: return "\(delivery.outcome?.rawValue ?? "")\(because)"
            case nil:
                let time = RemainingText.words(Duration.seconds(max(1, waited.components.seconds)).nanoseconds)
                return "no outcome after \(time); see 'tminus deliveries --id \(id)'"
            }
        }
    }

    /// A line for each sink with the id of its delivery or, for a dry run, the text that it would send. The header
    /// fields of that text follow on indented lines.
    package static func written(_ answer: FireAnswer) -> String {
        if answer.isSent { return lines(answer) { "sent as \(DeliveryText.short($0.id))" } }
        return answer.deliveries.map { delivery in
            let fields = delivery.headers.map { SafeText.line("    \($0.name): \($0.value)") + "\n" }
            return SafeText.line("\(delivery.sinkTitle): \(delivery.body ?? delivery.event)") + "\n" + fields.joined()
        }.joined()
    }

    private static func lines(_ answer: FireAnswer, _ words: (FireAnswer.Delivery) -> String) -> String {
        answer.deliveries.map { SafeText.line("\($0.sinkTitle): \(words($0))") + "\n" }.joined()
    }
}
