import TminusCore

/// Decodes the trigger of an event: the key that yields its occurrences, and its bounds.
extension ScheduleDecoder {
    /// The keys of triggers; an event has exactly one of them.
    static let triggerKeys = ["at", "every", "cron", "rrule"]

    /// The trigger; nil if it is absent or wrong, which this function or the rules of the table report.
    ///
    /// - Parameter reminders: The reminders of the event: one that is still to come after a passed occurrence counts.
    func trigger(
        _ reader: MappingReader, in zone: Zone, _ daylightSaving: DaylightSaving, reminders: [ReminderItem] = []
    ) -> Trigger? {
        let bounds = bounds(reader, in: zone)
        guard let key = Self.triggerKeys.first(where: reader.has) else { return nil }
        guard let bounds else { return nil }
        guard let trigger = trigger(key, reader, in: zone, daylightSaving, bounds) else { return nil }
        warn(of: trigger, at: key, reader) {
            ComingReminders(reminders.map { ($0.lead, $0.side) }, of: trigger, in: zone).exist(after: now)
        }
        return trigger
    }

    private func trigger(
        _ key: String, _ reader: MappingReader, in zone: Zone, _ daylightSaving: DaylightSaving, _ bounds: TriggerBounds
    ) -> Trigger? {
        if key == "at" {
            return times(reader).map { times in
                warn(of: times, reader, in: zone, daylightSaving)
                return .at(times, in: zone, daylightSaving: daylightSaving, bounds: bounds)
            }
        }
        guard let text = reader.text(key) else { return nil }
        do throws(TriggerProblem) {
            switch key {
            case "every":
                guard let span = parsed(CalendarSpan.parse(text), key, reader), !reader.isMissing("start") else {
                    return nil
                }
                if let doubt = CalendarSpan.monthDoubt(about: text), let node = reader.node(key) {
                    diagnostics.report(.warning, "'every': \(doubt)", at: node.range)
                }
                return .every(try EveryTrigger(span, in: zone, daylightSaving: daylightSaving, bounds: bounds))
            case "cron":
                guard let expression = parsed(CronExpression.parse(text), text, key, reader) else { return nil }
                return .cron(try CronTrigger(expression, in: zone, daylightSaving: daylightSaving, bounds: bounds))
            default:
                guard let rule = parsed(RecurrenceRule.parse(text), text, key, reader), !reader.isMissing("start")
                else {
                    return nil
                }
                return .recurrence(
                    try RecurrenceTrigger(rule, in: zone, daylightSaving: daylightSaving, bounds: bounds))
            }
        } catch {
            reader.error(error.message, at: reader.has(error.key) ? error.key : key)
            return nil
        }
    }

    private func bounds(_ reader: MappingReader, in zone: Zone) -> TriggerBounds? {
        var bounds = TriggerBounds()
        var isComplete = true
        func read(_ key: String) -> DateOrTime? {
            guard reader.has(key) else { return nil }
            let value = reader.text(key).flatMap { parsed(DateOrTime.parse($0), key, reader) }
            if value == nil { isComplete = false }
            return value
        }
        bounds.start = read("start")
        bounds.until = read("until")
        if reader.has("count") {
            bounds.count = reader.integer("count", in: 1...Int.max)
            if bounds.count == nil { isComplete = false }
        }
        for node in reader.oneOrMore("except") ?? [] {
            guard let text = MappingReader.text(of: node, for: "except", example: "2026-12-24", diagnostics) else {
                isComplete = false
                continue
            }
            switch DateOrTime.parse(text) {
            case .success(let value): bounds.except.append(value)
            case .failure(let problem):
                diagnostics.error("'except': \(problem.message)", at: node.range)
                isComplete = false
            }
        }
        if let start = bounds.start, let until = bounds.until, until.isBefore(start, in: zone) {
            reader.error("'until' is before 'start'", at: "until")
            return nil
        }
        return isComplete ? bounds : nil
    }

    private func warn(of trigger: Trigger, at key: String, _ reader: MappingReader, unless isAwaited: () -> Bool) {
        guard let node = reader.node(key) else { return }
        if case .recurrence(let rule) = trigger, !rule.startIsInRule, let start = reader.node("start") {
            diagnostics.report(
                .warning,
                "the rule does not yield 'start', but it is still the first occurrence (RFC 5545 section 3.3.10)",
                at: start.range)
        }
        guard var reason = trigger.idleReason(after: now), !isAwaited() else { return }
        if case .at(let instants, _) = trigger, !instants.isEmpty {
            reason = instants.count == 1 ? "this is in the past" : "all of these are in the past"
        }
        diagnostics.report(.warning, reason, at: node.range)
    }

    /// Warns of clock times that are skipped or repeated, since the text does not say which instant is meant.
    private func warn(
        of times: [DateOrTime], _ reader: MappingReader, in zone: Zone, _ daylightSaving: DaylightSaving
    ) {
        for (node, time) in zip(reader.oneOrMore("at") ?? [], times) {
            guard let change = time.clockChange(in: zone, daylightSaving) else { continue }
            let hint = change.effect == .first ? "; write '+01:00' or the like behind the time to say which" : ""
            diagnostics.report(.warning, "\(change.text) (\(zone.name))\(hint)", at: node.range)
        }
    }

    private func parsed<Value>(
        _ result: Result<Value, RuleProblem>, _ text: String, _ key: String, _ reader: MappingReader
    ) -> Value? {
        switch result {
        case .success(let value): return value
        case .failure(let problem):
            let range = reader.node(key)?.range ?? reader.range
            diagnostics.error(
                "'\(key)': \(problem.message)", at: diagnostics.place(of: problem.range, in: text, at: range))
            return nil
        }
    }

    private func parsed<Value>(_ result: Result<Value, SpanProblem>, _ key: String, _ reader: MappingReader) -> Value? {
        switch result {
        case .success(let value): return value
        case .failure(let problem):
            reader.error("'\(key)': \(problem.message)", at: key)
            return nil
        }
    }
}
