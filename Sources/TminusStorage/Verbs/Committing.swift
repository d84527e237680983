import FoundationEssentials
package import TminusCore

extension Transaction {
    /// Writes a commit part by part, and returns the result.
    ///
    /// Every write is absolute, or is guarded by a unique key or a token, so repeating the commit changes nothing.
    /// `endings` are those of deliveries that ended before in the same transaction.
    package func commit(_ commit: Commit, now: Timestamp, _ endings: Endings = Endings()) throws -> Committed {
        var committed = Committed()
        var endings = endings
        if commit.clockStep != .zero { try shiftWaits(by: commit.clockStep, now: now) }
        if let sinks = commit.sinks { try write(sinks, now: now) }
        try settle(commit.settlements, now: now, &endings)
        try promote(&endings)
        try write(commit.schedules)
        let claims = commit.claim.map { ClaimWriter($0, self, now: now) }
        if !commit.firings.isEmpty {
            // Deliveries that this commit may withdraw are not claimed when they are written.
            let claimsAtOnce = commit.withdrawals.isEmpty ? claims : nil
            try claimsAtOnce?.reserveForWaiting()
            try FiringWriter(self, claims: claimsAtOnce, now: now).write(commit.firings, &endings)
            try promote(&endings)
        }
        for omission in commit.omissions { try write(omission, now: now) }
        for record in commit.controls { try write(record) }
        if let mute = commit.mute { try write(mute) }
        committed.withdrawn = try withdraw(commit.withdrawals, owner: commit.claim?.owner, now: now, &endings)
        try promote(&endings)
        if let request = commit.claim, let claims {
            if request.isFollower || request.asksForHeld {
                let held = try heldClaims(owner: request.owner)
                committed.held = held.all
                if request.isFollower { committed.withdrawn = held.withdrawn }
            }
            try claims.claimWaiting(&endings)
            committed.claimed = claims.claimed
            committed.sinks = try claims.claimedSpecs()
            committed.unreadable = claims.unreadable
            committed.replaced = try replacedClaims(owner: request.owner)
            if request.limit > 0 { committed.nextAttempt = try nextAttempt(after: now) }
        }
        committed.endedExpiries = try endedExpiries(endings.firings)
        return committed
    }

    /// Writes the sinks in force and retires all others.
    private func write(_ sinks: [SinkSpec], now: Timestamp) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try post(SinkStatements.retireAll, now)
        for spec in sinks {
            let text = String(decoding: try encoder.encode(spec), as: UTF8.self)
            try post(SinkStatements.write, spec.key.rawValue, spec.name, spec.kind, spec.title, text)
        }
    }

    /// Writes the states of schedules; of several states of one definition the last.
    package func write(_ schedules: [ScheduleState]) throws {
        var last: [DefinitionID: Int] = [:]
        for (index, state) in schedules.enumerated() { last[state.id] = index }
        // A statement of PostgreSQL writes no row twice.
        let rows = try schedules.indices.filter { last[schedules[$0].id] == $0 }.map { index in
            let state = schedules[index]
            let laps = state.laps.map { String($0.nanoseconds) }.joined(separator: ",")
            return [
                Parameter.text(state.id.rawValue), .text(state.kind.rawValue),
                .number(Int64(bitPattern: state.fingerprint)), .number(Int64(bitPattern: state.leads)),
                .text(state.phase.rawValue), .instant(state.cursor), .instant(state.start), .instant(state.deadline),
                .number(Int64(clamping: state.occurrences)), .instant(state.removed), .instant(state.heldSince),
                .number(state.added.nanoseconds), .text(laps.isEmpty ? nil : laps),
                .text(try OverridesText.encode(state.overrides)), .number(state.isDisabled ? 1 : 0),
            ]
        }
        _ = try runner.write(ScheduleStatements.write, rows)
    }

    private func write(_ omission: Omission, now: Timestamp) throws {
        try post(
            FiringStatements.insertOmission, omission.definition.rawValue, omission.occurrence,
            omission.action.rawValue, omission.due, omission.reason.rawValue, omission.count, omission.note, now)
    }
}
