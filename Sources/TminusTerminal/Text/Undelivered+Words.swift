package import TminusControl
package import TminusCore

extension UndeliveredCount {
    /// The counts in words: `3 dead, 1 retrying`; empty if there are none.
    package var words: String {
        var words: [String] = []
        if dead > 0 { words.append("\(dead) dead") }
        if retrying > 0 { words.append("\(retrying) retrying") }
        return words.joined(separator: ", ")
    }
}

extension Item {
    /// Whether a list marks the item: it has deliveries that are retried or dead.
    package var isFailing: Bool { undelivered.map { $0.dead > 0 || $0.retrying > 0 } ?? false }

    /// What is wrong with its deliveries and where to look, in one line; nil if nothing is.
    package var failureLine: String? {
        guard isFailing, let undelivered else { return nil }
        return "\(id): \(undelivered.words); see 'tminus deliveries --id \(id)'"
    }

    /// The last outcome and how long ago its action was due: `delivered 2 days ago`; empty if there is none.
    package var lastOutcomeWords: String {
        guard let last = lastOutcome else { return "" }
        let words = RemainingText.words(asOf.duration(to: last.due).nanoseconds)
        return "\(last.end) \(words == "0 s" ? "now" : words)"
    }
}
