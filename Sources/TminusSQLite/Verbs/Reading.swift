import TminusCore

extension Transaction {
    /// All readable schedules, and the expiries that they wait for.
    func snapshot() throws -> StoreSnapshot {
        var snapshot = StoreSnapshot()
        try forEach(ScheduleStatements.all) { row in
            if let state = try? row.scheduleState() {
                snapshot.schedules.append(state)
            } else {
                snapshot.unreadable += 1
            }
        }
        let known = Set(snapshot.schedules.map(\.id))
        try forEach(ScheduleStatements.openExpiries) { row in
            guard let id = DefinitionID(try row.text(0)), known.contains(id), let deadline = try row.optionalInstant(1)
            else { return }
            snapshot.openExpiries.insert(EndedExpiry(definition: id, occurrence: deadline))
        }
        snapshot.mute = try generalMute()
        return snapshot
    }
}

extension QuickRow {
    /// Reads a row of `schedule` with the columns of ``ScheduleStatements/all``.
    fileprivate func scheduleState() throws -> ScheduleState {
        ScheduleState(
            id: try definition(0), kind: try word(1, DefinitionKind.self),
            fingerprint: UInt64(bitPattern: try number(2)), leads: UInt64(bitPattern: try number(3)),
            phase: try word(4, ScheduleState.Phase.self), cursor: try instant(5),
            start: try optionalInstant(6), deadline: try optionalInstant(7), occurrences: try exactCount(8),
            heldSince: try optionalInstant(10), added: .nanoseconds(try number(11)), laps: try laps(12),
            overrides: try OverridesText.decode(try optionalText(13)), removed: try optionalInstant(9))
    }

    private func laps(_ column: CInt) throws -> [Duration] {
        try (try optionalText(column) ?? "").split(separator: ",").map {
            guard let nanoseconds = Int64($0) else { throw UnreadableRow(what: "the lap '\($0)'") }
            return .nanoseconds(nanoseconds)
        }
    }
}
