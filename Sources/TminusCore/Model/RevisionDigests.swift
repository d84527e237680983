/// Computes the digests of the revisions of consecutive states.
///
/// The definitions of one file often have the same reminders, and definitions that are due at one instant often have
/// the same rule. So the last digests are cached.
package struct RevisionDigests {
    private var rule: (text: String, digest: String)?
    private var leads: (reminders: [Reminder], digest: String)?

    /// No digests cached yet.
    package init() {}

    /// The value of ``ScheduleState/fingerprint``.
    package mutating func fingerprint(of state: ScheduleState) -> String {
        guard case .of(let definition) = state.revision else { return state.fingerprint }
        let text = ScheduleRevision(definition).rule
        if let rule, rule.text == text { return rule.digest }
        let digest = ScheduleRevision.fingerprint(ofRule: text)
        rule = (text, digest)
        return digest
    }

    /// The value of ``ScheduleState/leads``.
    package mutating func leads(of state: ScheduleState) -> String {
        guard case .of(let definition) = state.revision, definition.kind != .stopwatch else { return state.leads }
        let reminders = definition.reminders
        if let leads, leads.reminders == reminders { return leads.digest }
        let digest = state.leads
        leads = (reminders, digest)
        return digest
    }
}
