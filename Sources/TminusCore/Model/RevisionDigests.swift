/// The digests of the revisions of states that are written one after the other.
///
/// The definitions of one file mostly have the very same reminders, and what is due at one instant often the very same rule, so what
/// was computed last is kept.
package struct RevisionDigests {
    private var rule: (text: String, digest: String)?
    private var leads: (reminders: [Reminder], digest: String)?

    /// Nothing is known yet.
    package init() {}

    /// What ``ScheduleState/fingerprint`` is.
    package mutating func fingerprint(of state: ScheduleState) -> String {
        guard case .of(let definition) = state.revision else { return state.fingerprint }
        let text = ScheduleRevision(definition).rule
        if let rule, rule.text == text { return rule.digest }
        let digest = ScheduleRevision.fingerprint(ofRule: text)
        rule = (text, digest)
        return digest
    }

    /// What ``ScheduleState/leads`` is.
    package mutating func leads(of state: ScheduleState) -> String {
        guard case .of(let definition) = state.revision, definition.kind != .stopwatch else { return state.leads }
        let reminders = definition.reminders
        if let leads, leads.reminders == reminders { return leads.digest }
        let digest = state.leads
        leads = (reminders, digest)
        return digest
    }
}
