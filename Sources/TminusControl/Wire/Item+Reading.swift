internal import TminusCore

extension Item {
    /// Decodes an item and skips unknown members. An error names the expected value and the byte offset.
    package init(json: [UInt8]) throws {
        var scanner = JSONScanner(json)
        self = try scanner.item()
        try scanner.end()
    }
}

extension JSONScanner {
    /// Reads an item.
    mutating func item() throws -> Item {
        var item = Item(asOf: Timestamp(seconds: 0), id: "", kind: .event, name: "", state: .idle)
        try object { scanner, key in
            guard !scanner.takeNull() else { return }
            switch key {
            case "id": item.id = try scanner.string()
            case "kind": item.kind = try scanner.named(DefinitionKind.self)
            case "name": item.name = try scanner.string()
            case "description": item.description = try scanner.string()
            case "labels": try scanner.object { item.labels[$1] = try $0.string() }
            case "state": item.state = try scanner.named(Item.State.self)
            case "due": item.due = try scanner.instant()
            case "remaining": item.remaining = try scanner.amount()
            case "elapsed": item.elapsed = try scanner.amount()
            case "clock-behind": item.clockBehind = try scanner.amount()
            case "total": item.total = try scanner.amount()
            case "next-reminder": item.nextReminder = try scanner.reminder()
            case "laps": item.laps = try scanner.laps()
            case "muted": item.overrides.mute = try scanner.mute()
            case "skipped": item.overrides.skip = try scanner.skipped()
            case "snoozed": item.overrides.snooze = try scanner.snooze()
            case "undelivered": item.undelivered = try scanner.undelivered()
            case "last-outcome": item.lastOutcome = try scanner.lastOutcome()
            case "timezone": item.timezone = try scanner.string()
            case "color": item.color = try scanner.string()
            case "file": item.file = try scanner.string()
            case "line": item.line = Int(try scanner.word())
            case "as-of": item.asOf = try scanner.instant()
            default: try scanner.skip()
            }
        }
        guard !item.id.isEmpty else { throw mismatch("an item with an id") }
        return item
    }

    private mutating func named<Name: RawRepresentable<String>>(_ type: Name.Type) throws -> Name {
        guard let value = Name(rawValue: try string()) else { throw mismatch("a known word") }
        return value
    }

    private mutating func instant() throws -> Timestamp {
        if let instant = utcInstant() { return instant }
        guard let instant = Timestamp(rfc3339: try string()) else { throw mismatch("an instant in RFC 3339") }
        return instant
    }

    private mutating func amount() throws -> Duration {
        var length: Duration?
        try object { if $1 == "seconds" { length = try $0.seconds() } else { try $0.skip() } }
        guard let length else { throw mismatch("seconds") }
        return length
    }

    private mutating func reminder() throws -> Item.NextReminder {
        var reminder = Item.NextReminder(due: Timestamp(seconds: 0), lead: "")
        try object { scanner, key in
            switch key {
            case "due": reminder.due = try scanner.instant()
            case "lead": reminder.lead = try scanner.string()
            case "length" where !scanner.takeNull(): reminder.length = try scanner.amount()
            case "length": break
            case "silence" where !scanner.takeNull():
                reminder.silence = Item.NextReminder.Silence(rawValue: try scanner.string())
            case "silence": break
            default: try scanner.skip()
            }
        }
        return reminder
    }

    private mutating func undelivered() throws -> UndeliveredCount {
        var count = UndeliveredCount()
        try object { scanner, key in
            guard !scanner.takeNull() else { return }
            switch key {
            case "retrying": count.retrying = Int(try scanner.word()) ?? 0
            case "next-attempt": count.nextAttempt = try scanner.instant()
            case "dead": count.dead = Int(try scanner.word()) ?? 0
            case "oldest-dead": count.oldestDead = try scanner.instant()
            default: try scanner.skip()
            }
        }
        return count
    }

    private mutating func lastOutcome() throws -> Item.LastOutcome {
        var last = Item.LastOutcome(due: Timestamp(seconds: 0), action: "", end: "")
        try object { scanner, key in
            guard !scanner.takeNull() else { return }
            switch key {
            case "due": last.due = try scanner.instant()
            case "action": last.action = try scanner.string()
            case "end": last.end = try scanner.string()
            case "reason": last.reason = try scanner.string()
            case "message": last.message = try scanner.string()
            default: try scanner.skip()
            }
        }
        return last
    }

    private mutating func laps() throws -> [Item.Lap] {
        var laps: [Item.Lap] = []
        try array { scanner in
            var lap = Item.Lap(number: 0, length: .zero, total: .zero)
            try scanner.object { scanner, key in
                switch key {
                case "number": lap.number = Int(try scanner.word()) ?? 0
                case "length": lap.length = try scanner.amount()
                case "total": lap.total = try scanner.amount()
                case "fastest": if try scanner.word() == "true" { lap.mark = .fastest }
                case "slowest": if try scanner.word() == "true" { lap.mark = .slowest }
                default: try scanner.skip()
                }
            }
            laps.append(lap)
        }
        return laps
    }

    private mutating func mute() throws -> Overrides.Mute {
        let parts = try override()
        return Overrides.Mute(until: parts.until, origin: parts.origin)
    }

    private mutating func skipped() throws -> Overrides.Skip {
        let parts = try override()
        return Overrides.Skip(occurrence: parts.occurrence, origin: parts.origin)
    }

    private mutating func snooze() throws -> Overrides.Snooze {
        let parts = try override()
        return Overrides.Snooze(occurrence: parts.occurrence, until: parts.until, origin: parts.origin)
    }

    private mutating func override() throws -> (until: Timestamp, occurrence: Timestamp, origin: Overrides.Origin) {
        var (until, occurrence) = (Timestamp(seconds: 0), Timestamp(seconds: 0))
        var origin = Overrides.Origin(by: "", at: Timestamp(seconds: 0))
        try object { scanner, key in
            guard !scanner.takeNull() else { return }
            switch key {
            case "until": until = try scanner.instant()
            case "occurrence": occurrence = try scanner.instant()
            case "by": origin.by = try scanner.string()
            case "at": origin.at = try scanner.instant()
            case "note": origin.note = try scanner.string()
            default: try scanner.skip()
            }
        }
        return (until, occurrence, origin)
    }
}
