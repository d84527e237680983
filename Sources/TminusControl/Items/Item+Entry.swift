package import TminusCore

extension Item {
    /// Creates the item of a definition at `now`.
    package init(_ entry: ScheduleEntry, now: Timestamp) {
        self.init(entry, Outlook(entry, now: now), now: now)
    }

    /// Creates the item of a definition at `now`. `outlook` must be valid at that instant.
    package init(_ entry: ScheduleEntry, _ outlook: Outlook, now: Timestamp) {
        let (definition, schedule) = (entry.definition, entry.state)
        var now = now
        // The clock may have been read just before the countdown began. Then no clock was set back.
        if let begin = outlook.begin, (.zero..<Duration.seconds(1)).contains(now.duration(to: begin)) { now = begin }
        self.init(
            asOf: now, id: definition.id.rawValue, kind: definition.kind, name: definition.name,
            description: definition.description, labels: definition.labels, color: definition.color,
            state: State(definition, schedule, isOver: outlook.isOver),
            nextReminder: outlook.alert.map { NextReminder($0) },
            overrides: schedule.overrides.inForce(at: now, for: outlook), timezone: definition.zone.name,
            file: definition.isAdHoc ? nil : definition.origin.file,
            line: definition.isAdHoc || definition.origin.line < 1 ? nil : definition.origin.line)
        switch definition.schedule {
        case .event: count(downTo: outlook, processed: schedule.cursor)
        case .timer(let timer): count(timer, schedule, outlook)
        case .stopwatch: count(upFrom: outlook, schedule)
        }
    }

    private mutating func count(downTo outlook: Outlook, processed cursor: Timestamp) {
        due = outlook.occurrence
        remaining = due.map { asOf.duration(to: $0) }
        let ahead = asOf.duration(to: cursor)
        // The clock may have been read just before the event fired.
        if ahead >= .seconds(1) { clockBehind = ahead }
        guard let begin = outlook.begin, let due else { return }
        total = begin.duration(to: due)
    }

    private mutating func count(_ timer: Timer, _ schedule: ScheduleState, _ outlook: Outlook) {
        total = timer.duration
        guard let begin = outlook.begin, let deadline = outlook.occurrence else { return }
        let whole = begin.duration(to: deadline)
        total = whole
        switch schedule.phase {
        case .idle: break
        case .armed:
            due = deadline
            remaining = asOf.duration(to: deadline)
            count(from: begin, to: asOf)
        case .paused:
            let held = schedule.heldSince ?? asOf
            remaining = held.duration(to: deadline)
            count(from: begin, to: held)
        case .acting:
            due = deadline
            remaining = .zero
            elapsed = whole
        case .expired:
            due = deadline
            remaining = asOf.duration(to: deadline)
            elapsed = whole
        }
    }

    private mutating func count(upFrom outlook: Outlook, _ schedule: ScheduleState) {
        laps = Self.laps(endingAt: schedule.laps)
        guard let begin = outlook.begin else { return }
        count(from: begin, to: schedule.phase == .paused ? schedule.heldSince ?? asOf : asOf)
    }

    /// Sets the elapsed time. If the clock was set back to before the beginning, nothing has elapsed.
    private mutating func count(from begin: Timestamp, to end: Timestamp) {
        let passed = begin.duration(to: end)
        (elapsed, clockBehind) = passed < .zero ? (.zero, .zero - passed) : (passed, nil)
    }

    /// Builds the laps, newest first, from the stopwatch's time at the end of each, oldest first.
    static func laps(endingAt totals: [Duration]) -> [Lap] {
        var laps: [Lap] = []
        for (index, total) in totals.enumerated() {
            laps.append(Lap(number: index + 1, length: total - (index == 0 ? .zero : totals[index - 1]), total: total))
        }
        let lengths = laps.map(\.length)
        if let shortest = lengths.min(), let longest = lengths.max(), shortest < longest {
            // Of equal laps the oldest is marked, so a later lap never moves the mark.
            laps[lengths.firstIndex(of: shortest) ?? 0].mark = .fastest
            laps[lengths.firstIndex(of: longest) ?? 0].mark = .slowest
        }
        return laps.reversed()
    }
}

extension Item.NextReminder {
    fileprivate init(_ alert: Outlook.Alert) {
        let silence: Silence? =
            switch alert.silence {
            case .muted: .muted
            case .skipped: .skipped
            default: nil
            }
        self.init(due: alert.due, lead: alert.lead, length: alert.length, silence: silence)
    }
}

extension Item.State {
    fileprivate init(_ definition: Definition, _ schedule: ScheduleState, isOver: Bool) {
        guard definition.isEnabled else {
            self = .disabled
            return
        }
        if definition.kind == .event {
            self = isOver ? .expired : .upcoming
            return
        }
        self =
            switch schedule.phase {
            case .idle: .idle
            case .armed: .running
            case .paused: .paused
            case .acting: .acting
            case .expired: .expired
            }
    }
}

extension Overrides {
    /// The overrides in force: drops expired ones, and a skip or snooze of an occurrence that is no longer the next.
    fileprivate func inForce(at now: Timestamp, for outlook: Outlook) -> Overrides {
        guard !isEmpty else { return self }
        var overrides = self
        if let mute, mute.until <= now { overrides.mute = nil }
        if let snooze, snooze.until <= now || snooze.occurrence > now && snooze.occurrence != outlook.occurrence {
            overrides.snooze = nil
        }
        if let skip, skip.occurrence <= now || skip.occurrence != outlook.occurrence { overrides.skip = nil }
        return overrides
    }
}
