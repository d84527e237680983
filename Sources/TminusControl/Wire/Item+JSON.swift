internal import TminusCore

extension Item {
    /// The JSON object of `show --json` and the control socket. `due`, `remaining`, `elapsed`, `fraction`,
    /// `next-reminder`, `laps`, `color`, `file` and `line` are null without a value: every list of countdowns has these
    /// columns. Any other member without a value is left out.
    package var json: [UInt8] {
        var writer = JSONWriter(capacity: 768)
        writer.object { write(to: &$0) }
        return writer.bytes
    }

    /// Encodes a JSON array, one item a line.
    package static func json(_ items: some Collection<Item>) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + items.count * usualSize)
        writer.lines(of: items) { $1.write(to: &$0) }
        return writer.bytes
    }

    /// Encodes the same array lazily in chunks, so the reader can begin early and the whole text is never in memory.
    package static func jsonPieces(_ items: [Item]) -> some Sequence<[UInt8]> {
        let size = 256
        return stride(from: 0, to: max(1, items.count), by: size).lazy.map { start in
            let piece = items[start..<min(start + size, items.count)]
            var writer = JSONWriter(capacity: 64 + piece.count * usualSize)
            writer.lines(of: piece, opens: start == 0, closes: piece.endIndex == items.count) { $1.write(to: &$0) }
            return writer.bytes
        }
    }

    /// A size in bytes that most items stay below. Reserving it avoids copying megabytes while the text grows.
    private static let usualSize = 640

    func write(to object: inout JSONWriter) {
        object.member("id", id)
        object.member("kind", kind.rawValue)
        object.member("name", name)
        object.member("description", optional: description)
        object.member("labels") { members in
            for (key, value) in labels.sorted(by: { $0.key < $1.key }) { members.member(userKey: key, value) }
        }
        object.member("state", state.rawValue)
        object.member("due", orNull: due?.rfc3339)
        object.member("remaining", orNull: remaining)
        object.member("elapsed", orNull: elapsed)
        object.member("clock-behind", amount: clockBehind)
        object.member("total", amount: total)
        object.member("fraction", orNull: fraction)
        object.member("next-reminder", orNull: nextReminder) { reminder, next in
            reminder.member("due", next.due.rfc3339)
            reminder.member("lead", next.lead)
            reminder.member("length", amount: next.length)
            reminder.member("silence", optional: next.silence?.rawValue)
        }
        writeLaps(to: &object)
        object.member("muted", optional: overrides.mute) { mute, value in
            mute.member("until", value.until.rfc3339)
            mute.write(value.origin)
        }
        object.member("skipped", optional: overrides.skip) { skip, value in
            skip.member("occurrence", value.occurrence.rfc3339)
            skip.write(value.origin)
        }
        object.member("snoozed", optional: overrides.snooze) { snooze, value in
            snooze.member("occurrence", value.occurrence.rfc3339)
            snooze.member("until", value.until.rfc3339)
            snooze.write(value.origin)
        }
        object.member("undelivered", optional: undelivered) { count, value in
            count.member("retrying", value.retrying)
            count.member("next-attempt", optional: value.nextAttempt?.rfc3339)
            count.member("dead", value.dead)
            count.member("oldest-dead", optional: value.oldestDead?.rfc3339)
        }
        object.member("last-outcome", optional: lastOutcome) { last, value in
            last.member("due", value.due.rfc3339)
            last.member("action", value.action)
            last.member("end", value.end)
            last.member("reason", optional: value.reason)
            last.member("message", optional: value.message)
        }
        object.member("timezone", timezone)
        object.member("color", orNull: color)
        object.member("file", orNull: file)
        if let line { object.member("line", line) } else { object.member(null: "line") }
        object.member("as-of", asOf.rfc3339)
    }

    private func writeLaps(to object: inout JSONWriter) {
        guard let laps else { return object.member(null: "laps") }
        object.member("laps", objects: laps) { lap, value in
            lap.member("number", value.number)
            lap.member("length", amount: value.length)
            lap.member("total", amount: value.total)
            lap.member("fastest", value.mark == .fastest)
            lap.member("slowest", value.mark == .slowest)
        }
    }
}

extension JSONWriter {
    /// Writes a string, if there is one.
    fileprivate mutating func member(_ key: StaticString, optional text: String?) {
        if let text { member(key, text) }
    }

    /// Writes a string or null.
    fileprivate mutating func member(_ key: StaticString, orNull text: String?) {
        if let text { member(key, text) } else { member(null: key) }
    }

    /// Writes `{"seconds": ..., "text": ...}` or null.
    fileprivate mutating func member(_ key: StaticString, orNull length: Duration?) {
        if let length { member(key, amount: length) } else { member(null: key) }
    }

    /// Writes `{"seconds": ..., "text": ...}`, if there is a length.
    fileprivate mutating func member(_ key: StaticString, amount length: Duration?) {
        member(key, optional: length) { amount, length in
            amount.member("seconds", secondsOf: length.nanoseconds)
            amount.member("text", RemainingText.words(length.nanoseconds))
        }
    }

    /// Writes a share with six decimals, or null.
    fileprivate mutating func member(_ key: StaticString, orNull share: Double?) {
        guard let share else { return member(null: key) }
        member(key, secondsOf: Int64((share * 1e6).rounded()) * 1_000)
    }

    /// Writes an object or null.
    fileprivate mutating func member<Value>(
        _ key: StaticString, orNull value: Value?, _ members: (inout JSONWriter, Value) -> Void
    ) {
        guard let value else { return member(null: key) }
        member(key) { members(&$0, value) }
    }

    /// Writes an object, if there is a value.
    fileprivate mutating func member<Value>(
        _ key: StaticString, optional value: Value?, _ members: (inout JSONWriter, Value) -> Void
    ) {
        guard let value else { return }
        member(key) { members(&$0, value) }
    }

    fileprivate mutating func write(_ origin: Overrides.Origin) {
        member("by", origin.by)
        member("at", origin.at.rfc3339)
        member("note", optional: origin.note)
    }
}
