/// Instants as payloads have them. Of many firings of one step most are about one instant, so the text that was made last is kept.
struct InstantTexts: Sendable {
    private var due: (instant: Timestamp, text: String)?
    private var fired: (instant: Timestamp, text: String)?
    private var local: (instant: Timestamp, zone: Zone, text: String)?
    private var remaining: (nanoseconds: Int64, text: String)?

    /// RFC 3339 in UTC of an instant at which something was due.
    mutating func due(_ instant: Timestamp) -> String { Self.text(instant, &due) }

    /// RFC 3339 in UTC of the instant of a step.
    mutating func fired(_ instant: Timestamp) -> String { Self.text(instant, &fired) }

    /// RFC 3339 with the offset of the zone.
    mutating func local(_ instant: Timestamp, in zone: Zone) -> String {
        // The same object, because that is what the definitions of a file have, and comparing two looks at their tables.
        if let local, local.instant == instant, local.zone === zone { return local.text }
        let text = instant.rfc3339(in: zone)
        local = (instant, zone, text)
        return text
    }

    /// The words for a time that is left, or past (negative).
    mutating func remaining(_ nanoseconds: Int64) -> String {
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
