package import TminusCore

/// Formats instants as local times.
package struct DueText {
    private let zones: any ZoneDatabase
    /// A cache: the database reads its files on each lookup, and a list has thousands of lines.
    private var known: [String: Zone] = [:]

    /// Creates a formatter with the zones of a database. Unknown names count as UTC.
    package init(zones: any ZoneDatabase) {
        self.zones = zones
    }

    /// Formats as `Tue 2026-12-01 09:00 +01:00`, with seconds unless they are zero.
    package mutating func short(_ instant: Timestamp, in name: String) -> String {
        let zone = zone(name)
        // Slice one formatted text instead of formatting each part, because a list has thousands of lines.
        let text = instant.rfc3339(in: zone).utf8
        let minute = text.index(text.startIndex, offsetBy: 16)
        let second = text.index(minute, offsetBy: 3)
        let clock = text[text.index(text.startIndex, offsetBy: 11)..<second]
        var short = zone.local(instant).weekdayName + " "
        short += Substring(text.prefix(10))
        short += " "
        short += Substring(clock.suffix(2).elementsEqual("00".utf8) ? clock.prefix(5) : clock)
        short += " "
        short += Substring(text.suffix(6))
        return short
    }

    /// Formats as `Tue 2026-12-01 09:00:00 +01:00 Europe/Berlin`.
    package mutating func long(_ instant: Timestamp, in name: String) -> String {
        var local = zone(name).local(instant)
        local.nanosecond = 0
        let zoneName = zone(name).name
        return "\(local.weekdayName) \(local.dateText) \(local.timeText) \(offset(of: instant, in: name)) \(zoneName)"
    }

    private mutating func offset(of instant: Timestamp, in name: String) -> String {
        let text = instant.rfc3339(in: zone(name))
        return text.hasSuffix("Z") ? "+00:00" : String(text.suffix(6))
    }

    private mutating func zone(_ name: String) -> Zone {
        if let zone = known[name] { return zone }
        let zone = zones.zone(named: name) ?? .utc
        known[name] = zone
        return zone
    }
}
