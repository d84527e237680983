package import TminusCore

/// One delivery in the output of `tminus show`.
package struct DeliverySummary: Sendable, Hashable {
    /// The delivery's state, simplified.
    package enum Outcome: String, Sendable, Hashable { case delivered, waiting, running, dead, expired, skipped }

    /// The instant it was due.
    package var due: Timestamp
    /// The action: `expiry`, `1 day before`.
    package var action: String
    /// The sink's name.
    package var sink: String
    /// The outcome so far.
    package var outcome: Outcome
    /// The number of attempts so far.
    package var attempts: Int
    /// The reason for the outcome; empty if there is none.
    package var reason: String

    /// Creates a summary.
    package init(
        due: Timestamp, action: String, sink: String, outcome: Outcome, attempts: Int, reason: String = ""
    ) {
        self.due = due
        self.action = action
        self.sink = sink
        self.outcome = outcome
        self.attempts = attempts
        self.reason = reason
    }
}
