/// Formats the instants of payloads. Most firings of a step share their instants, so the last result of each kind is
/// cached.
struct InstantTexts: Sendable {
    /// The input of the cached texts. Zones are compared by identity: definitions of one file share the object, and
    /// comparing two zones by value compares their tables.
    private struct Key: Sendable {
        let occurrence: Timestamp
        let due: Timestamp
        let now: Timestamp
        let zone: Zone

        func isSame(_ action: DueAction, in zone: Zone, now: Timestamp) -> Bool {
            action.occurrence == occurrence && action.due == due && now == self.now && zone === self.zone
        }
    }

    private var latest: (key: Key, times: Box<Payload.Times>)?
    private var due: (instant: Timestamp, text: String)?
    private var fired: (instant: Timestamp, text: String)?
    private var local: (instant: Timestamp, zone: Zone, text: String)?
    private var remaining: (nanoseconds: Int64, text: String)?

    /// The times in the payload of an action that fires at `now`.
    mutating func times(of action: DueAction, in zone: Zone, now: Timestamp) -> Box<Payload.Times> {
        if let latest, latest.key.isSame(action, in: zone, now: now) { return latest.times }
        let left = now.duration(to: action.occurrence).nanoseconds
        // RFC 3339 in UTC; all three instants are often equal.
        let scheduled = Self.text(action.due, &due)
        let times = Box(
            Payload.Times(
                due: local(action.occurrence, in: zone),
                remaining: Payload.Amount(nanoseconds: left, text: remaining(left)), scheduled: scheduled,
                fired: now == action.due ? scheduled : Self.text(now, &fired),
                late: action.due.duration(to: now).nanoseconds,
                occurrence: action.occurrence == action.due ? scheduled : action.occurrence.rfc3339))
        latest = (Key(occurrence: action.occurrence, due: action.due, now: now, zone: zone), times)
        return times
    }

    /// RFC 3339 with the offset of the zone, cached.
    private mutating func local(_ instant: Timestamp, in zone: Zone) -> String {
        if let local, local.instant == instant, local.zone === zone { return local.text }
        let text = instant.rfc3339(in: zone)
        local = (instant, zone, text)
        return text
    }

    /// The words for a remaining or past (negative) time, cached.
    private mutating func remaining(_ nanoseconds: Int64) -> String {
        if let remaining, remaining.nanoseconds == nanoseconds { return remaining.text }
        let text = RemainingText.words(nanoseconds)
        remaining = (nanoseconds, text)
        return text
    }

    private static func text(_ instant: Timestamp, _ last: inout (instant: Timestamp, text: String)?) -> String {
        if let last, last.instant == instant { return last.text }
        let text = instant.rfc3339
        last = (instant, text)
        return text
    }
}
