extension ScheduleMachine {
    /// Does what a person wants with everything, the definitions among it that are gone and may return. What came due before is
    /// dealt with first.
    ///
    /// - Returns: Those of the definitions in force that are muted now, or were until now, in the order of their ids.
    mutating func perform(
        _ control: GeneralControl, now: Timestamp, _ effects: inout ScheduleEffects
    ) -> Result<[ScheduleEntry], ControlRefusal> {
        let mute: Overrides.Mute?
        switch control.action {
        case .unmute: mute = nil
        case .mute(let until):
            guard until > now else { return .failure(.unfit(reason: "\(until.rfc3339) is past", fitting: [])) }
            mute = Overrides.Mute(
                until: until, origin: Overrides.Origin(by: control.by, at: now, note: control.note))
        }
        fireAllDue(now: now, &effects)
        let former = self.mute
        self.mute = mute
        effects.commit.mute = mute.map(GeneralMute.until) ?? .over
        if mute != nil { effects.commit.withdrawals.append(Withdrawal(nil, .muted)) }
        effects.commit.controls.append(
            ControlRecord(
                definition: nil, control: control.action.verb.rawValue, by: control.by, at: now, note: control.note))
        effects.reports.append(.controlledAll(control))
        var concerned: [UInt32] = []
        for slot in slotsByID() {
            guard let row = table[slot], let state = Self.told(row, mute, former: former) else { continue }
            put(row.definition, unheld(row.definition, state, now: now), at: slot, &effects)
            concerned.append(slot)
        }
        for state in absent.values {
            var told = state
            if let mute { told.mute(mute, former: former) } else { told.overrides.mute = nil }
            guard told != state else { continue }
            absent[told.id] = told
            effects.commit.schedules.append(told)
        }
        return .success(concerned.compactMap { slot in table[slot].map { ScheduleEntry($0) } })
    }

    /// A state that nobody has said anything about, as it begins while everything is muted.
    func begun(_ fresh: ScheduleState, at now: Timestamp) -> ScheduleState {
        guard let mute, mute.until > now else { return fresh }
        var state = fresh
        state.mute(mute, former: nil)
        return state
    }

    /// The state after it; nil if it is of no concern for the definition. What was said about one occurrence stays.
    private static func told(
        _ row: ScheduleRow, _ mute: Overrides.Mute?, former: Overrides.Mute?
    ) -> ScheduleState? {
        var state = row.state
        if let mute {
            state.mute(mute, former: former)
            return state
        }
        guard state.overrides.mute != nil else { return nil }
        state.overrides.mute = nil
        return state
    }
}

extension ScheduleState {
    /// Mutes it with all others: in the place of the former mute of all, and of one of its own that ends earlier.
    fileprivate mutating func mute(_ mute: Overrides.Mute, former: Overrides.Mute?) {
        if let own = overrides.mute, own != former, own.until > mute.until { return }
        overrides.mute = mute
    }
}
