package import TminusControl
package import TminusCore

/// The labelled fields of an item.
package struct Facts {
    private let style: Style
    /// The number of columns for a value; a longer due time is shown in its short form.
    private let room: Int
    private var due: DueText

    /// Creates the fields for a style. Instants are shown in the item's time zone, in a shorter form if `room` columns are
    /// too few.
    package init(style: Style, zones: any ZoneDatabase, room: Int = .max) {
        self.style = style
        self.room = room
        due = DueText(zones: zones)
    }

    /// All fields of an item, most important first. `item` must be as of now.
    package mutating func all(_ item: Item) -> [(label: String, value: Line)] {
        var facts = moving(item)
        func add(_ label: String, _ text: String?) {
            if let text, !text.isEmpty { facts.append((label, Line(safe(text)))) }
        }
        facts += overrides(item)
        add("description", item.description)
        add("labels", item.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", "))
        if let color = item.color { facts.append(("color", Line(safe(color), Look(Ink(color) ?? .plain)))) }
        add("time zone", item.timezone)
        add("file", item.file.map { file in item.line.map { "\(file):\($0)" } ?? file })
        return facts
    }

    /// The fields that change with time.
    package mutating func moving(_ item: Item) -> [(label: String, value: Line)] {
        var facts = [("state", Line(item.stateWords, Look(LeadColor.of(item))))]
        if let instant = item.due {
            let long = due.long(instant, in: item.timezone)
            let isLong = DisplayWidth.of(long) <= room
            facts.append(("due", Line(isLong ? long : due.short(instant, in: item.timezone))))
        }
        if item.remaining != nil {
            let share = item.fraction.map { ", \(Int(($0 * 100).rounded())) % left" } ?? ""
            facts.append(("remaining", Line(item.remainingWords + share)))
        }
        if let elapsed = item.elapsed {
            let behind = item.clockBehind.map { behind in
                ", the clock was set back to \(RemainingText.words(behind.nanoseconds)) before the start"
            }
            facts.append(("elapsed", Line(ClockText.digits(ClockText.passed(elapsed)) + (behind ?? ""))))
        }
        if item.kind == .event, let behind = item.clockBehind {
            let instant = due.short(item.asOf.advanced(by: behind), in: item.timezone)
            facts.append(("clock", Line("was set back; nothing fires before \(instant)")))
        }
        if let total = item.total { facts.append(("total", Line(ClockText.digits(ClockText.left(total))))) }
        if let next = item.nextReminder {
            let words = RemainingText.words(item.asOf.duration(to: next.due).nanoseconds)
            let distance = words.hasSuffix(" ago") || words == "0 s" ? words : "in \(words)"
            // The lead comes before the instant, because a narrow terminal cuts off the end.
            let lead = safe(next.lead) + (next.silence.map { ", \($0.rawValue)" } ?? "")
            facts.append(("reminder", Line("\(distance), \(lead): \(due.short(next.due, in: item.timezone))")))
        }
        if item.isFailing, let undelivered = item.undelivered {
            var line = Line(undelivered.words, Look(.named(.red), bold: true))
            if let next = undelivered.nextAttempt {
                line.append(", next attempt \(due.short(next, in: item.timezone))")
            }
            facts.append(("deliveries", line))
        }
        if let last = item.lastOutcome {
            let reason = last.message.map { ": \(safe($0))" } ?? ""
            let words = "\(item.lastOutcomeWords), \(AnswerText.action(last.action))"
            facts.append(("last", Line(safe(words) + reason)))
        }
        return facts
    }

    /// The mute, skip and snooze in force.
    package mutating func overrides(_ item: Item) -> [(label: String, value: Line)] {
        var facts: [(String, Line)] = []
        let zone = item.timezone
        if let mute = item.overrides.mute, mute.until > item.asOf {
            facts.append(("muted", Line("until \(due.short(mute.until, in: zone))" + origin(mute.origin, zone))))
        }
        if let skip = item.overrides.skip {
            facts.append(
                ("skipped", Line("occurrence \(due.short(skip.occurrence, in: zone))" + origin(skip.origin, zone))))
        }
        if let snooze = item.overrides.snooze {
            facts.append(("snoozed", Line("until \(due.short(snooze.until, in: zone))" + origin(snooze.origin, zone))))
        }
        return facts
    }

    private mutating func origin(_ origin: Overrides.Origin, _ zone: String) -> String {
        let note = origin.note.map { ": \(safe($0))" } ?? ""
        return ", by \(safe(origin.by)) at \(due.short(origin.at, in: zone))\(note)"
    }

    private func safe(_ text: String) -> String { SafeText.line(text, unicode: style.hasUnicode) }
}
