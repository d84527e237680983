/// The digests of the lead times of states that are written one after the other.
///
/// The definitions of one file mostly have the very same reminders, so the digest that was computed last is kept.
package struct LeadsDigests {
    private var last: (reminders: [Reminder], digest: String)?

    /// Nothing is known yet.
    package init() {}

    /// What ``ScheduleState/leads`` is.
    package mutating func digest(of state: ScheduleState) -> String {
        guard case .of(let definition) = state.revision, definition.kind != .stopwatch else { return state.leads }
        let reminders = definition.reminders
        if let last, last.reminders == reminders { return last.digest }
        let digest = state.leads
        last = (reminders, digest)
        return digest
    }
}
