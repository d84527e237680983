package import TminusCore

extension Transaction {
    /// All readable schedules, and the expiries that they wait for. A schedule that cannot be read starts from the beginning;
    /// its row is passed to `unreadable`.
    ///
    /// - Parameter statement: One of ``ScheduleStatements``.
    package func snapshot(
        _ statement: String = ScheduleStatements.all, unreadable: (StoredRow) throws -> Void = { _ in }
    ) throws -> StoreSnapshot {
        var snapshot = StoreSnapshot()
        try forEach(statement) { row in
            if let state = try? row.scheduleState() {
                snapshot.schedules.append(state)
            } else {
                snapshot.unreadable += 1
                try unreadable(row)
            }
        }
        let known = Set(snapshot.schedules.map(\.id))
        try forEach(ScheduleStatements.openExpiries) { row in
            // One of these rows may be among those that cannot be read.
            guard let id = try? row.definition(0), known.contains(id), let deadline = try? row.optionalInstant(1) else {
                return
            }
            snapshot.openExpiries.insert(EndedExpiry(definition: id, occurrence: deadline))
        }
        snapshot.mute = try generalMute()
        return snapshot
    }
}

extension StoredRow {
    /// Reads a row of `schedule` with the columns of ``ScheduleStatements/all``.
    fileprivate func scheduleState() throws -> ScheduleState {
        let state = ScheduleState(
            id: try definition(0), kind: try word(1, DefinitionKind.self),
            fingerprint: UInt64(bitPattern: try number(2)), leads: UInt64(bitPattern: try number(3)),
            phase: try word(4, ScheduleState.Phase.self), cursor: try instant(5),
            start: try optionalInstant(6), deadline: try optionalInstant(7), occurrences: try exactCount(8),
            heldSince: try optionalInstant(10), added: .nanoseconds(try number(11)), laps: try laps(12),
            overrides: try OverridesText.decode(try optionalText(13)), removed: try optionalInstant(9),
            isDisabled: try number(14) != 0)
        // A cursor is what a clock showed. One at the end of time would silence the definition for ever.
        guard Counts.clockInstants.contains(state.cursor.nanoseconds), state.added >= .zero,
            (state.phase == .paused) == (state.heldSince != nil)
        else { throw UnreadableRow(what: "the state of a schedule") }
        return state
    }

    private func laps(_ column: CInt) throws -> [Duration] {
        try (try optionalText(column) ?? "").split(separator: ",").map {
            guard let nanoseconds = Int64($0) else { throw UnreadableRow(what: "the lap '\($0)'") }
            return .nanoseconds(nanoseconds)
        }
    }
}
