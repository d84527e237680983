package import TminusCore

/// What became of one delivery, as `tminus show` tells it.
package struct DeliverySummary: Sendable, Hashable {
    /// How it stands.
    package enum Outcome: String, Sendable, Hashable { case delivered, waiting, running, dead, skipped }

    /// When it was due.
    package var due: Timestamp
    /// What was sent: `expiry`, `reminder 1 day before`.
    package var action: String
    /// To whom.
    package var sink: String
    package var outcome: Outcome
    /// How often it was tried.
    package var attempts: Int
    /// Why it stands so; empty where there is nothing to say.
    package var reason: String

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
