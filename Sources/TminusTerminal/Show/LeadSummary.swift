package import TminusCore

/// One reminder in the output of `tminus show`.
package struct LeadSummary: Sendable, Hashable {
    /// The lead in words: `1 day before`.
    package var lead: String
    /// When it is due; nil if it does not run.
    package var due: Timestamp?
    /// What became of it, or will.
    package var status: LeadStanding.Status
    /// Why it failed or is not sent; empty if there is no reason.
    package var reason: String

    /// Creates a summary.
    package init(lead: String, due: Timestamp?, status: LeadStanding.Status, reason: String = "") {
        self.lead = lead
        self.due = due
        self.status = status
        self.reason = reason
    }
}
