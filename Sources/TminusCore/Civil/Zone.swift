/// A time zone: a name and the changes of its offset from UTC, for all instants that a ``Timestamp`` can hold.
///
/// Two zones are equal if both their names and their rules are.
public final class Zone: Sendable, Hashable {
    /// The IANA name, such as `Europe/Berlin`, or what stands in its place.
    public let name: String
    let table: ZoneTable
    private let hash: Int

    /// A zone from the bytes of a TZif file (RFC 9636), with its footer applied beyond its table. Any bytes may come.
    public convenience init(name: String, tzif bytes: [UInt8]) throws(ZoneDataError) {
        self.init(name: name, table: try TZif.table(bytes))
    }

    /// A zone from a POSIX TZ string, such as `CET-1CEST,M3.5.0,M10.5.0/3`, that holds for all time.
    public convenience init(name: String, posix rule: String) throws(ZoneDataError) {
        let rule = try PosixZoneRule(rule)
        var table = ZoneTable(offset: rule.standard)
        rule.extend(&table, after: nil)
        self.init(name: name, table: table)
    }

    private init(name: String, table: ZoneTable) {
        var table = table
        table.seal()
        self.name = name
        self.table = table
        var hasher = Hasher()
        hasher.combine(name)
        hasher.combine(table)
        hash = hasher.finalize()
    }

    /// UTC, which needs no file.
    public static let utc = Zone(name: "UTC", table: ZoneTable(offset: 0))

    /// Whether both have the same rules, under whatever names.
    package func hasSameRules(as other: Zone) -> Bool { table == other.table }

    /// The offset at an instant in seconds east of UTC.
    public func offset(at instant: Timestamp) -> Int {
        Int(table.offsets[table.index(at: Int64(instant.parts.seconds))])
    }

    /// Whether the offset is the same from one instant to a later one.
    package func isSteady(from start: Timestamp, to end: Timestamp) -> Bool {
        table.index(at: Int64(start.parts.seconds)) == table.index(at: Int64(end.parts.seconds))
    }

    /// What the clock shows at an instant.
    public func local(_ instant: Timestamp) -> LocalDateTime {
        let (seconds, nanosecond) = instant.parts
        return LocalDateTime(
            epochSeconds: seconds + Int(table.offsets[table.index(at: Int64(seconds))]), nanosecond: nanosecond)
    }

    /// The instants at which the clock shows a local time; beyond the range of a ``Timestamp`` its ends.
    public func resolve(_ local: LocalDateTime) -> LocalResolution {
        let clock = Int64(local.epochSeconds)
        let nanosecond = Int64(local.nanosecond.clamped(to: 0...999_999_999))
        func instant(_ offset: Int32) -> Timestamp { Timestamp(seconds: clock - Int64(offset), nanosecond: nanosecond) }

        // No instant of that clock time lies before `clock - largest` or after `clock - smallest`, so that only the offsets
        // of that span can apply: one or two, however close a file may have put its changes.
        var index = table.index(at: clock - Int64(table.largest))
        let end = clock - Int64(table.smallest)
        var first: Int32?
        var last: Int32?
        var gap: (before: Int32, after: Int32)?
        while true {
            let offset = table.offsets[index]
            let start = index > 0 ? table.changes[index - 1] : .min
            let next = index < table.changes.count ? table.changes[index] : .max
            let candidate = clock - Int64(offset)
            if start <= candidate, candidate < next {
                if first == nil { first = offset }
                last = offset
            } else if candidate >= next, clock - Int64(table.offsets[index + 1]) < next {
                gap = (offset, table.offsets[index + 1])
            }
            guard next <= end else { break }
            index += 1
        }
        if let first, let last {
            return first == last
                ? .unique(instant(first)) : .overlap(first: instant(first), second: instant(last))
        }
        let edges = gap ?? (table.offsets[index], table.offsets[index])
        return .gap(before: instant(edges.after), after: instant(edges.before))
    }

    /// The instant of a local time by the policy ``LocalResolution/compatible``.
    public func instant(of local: LocalDateTime) -> Timestamp { resolve(local).compatible }

    /// The instant a lead time before or after an occurrence; at the ends of the range of a ``Timestamp``, these.
    ///
    /// Months, then days, are counted on the calendar of this zone: the clock time stays, a day that the month does not have
    /// becomes its last, and a clock time that does not exist or exists twice is resolved as ``LocalResolution/compatible``.
    /// They are counted from what the clock really shows at the occurrence. The exact part comes after.
    public func instant(_ lead: CalendarSpan, _ side: Reminder.Side, of occurrence: Timestamp) -> Timestamp {
        let sign = side == .before ? -1 : 1
        var result = occurrence
        if lead.months != 0 || lead.days != 0 {
            // Clamped so that a change of sign cannot overflow; both are beyond all calendars here.
            let months = lead.months.clamped(to: -1_000_000...1_000_000)
            let days = lead.days.clamped(to: -1_000_000_000...1_000_000_000)
            result = instant(of: local(occurrence).adding(months: sign * months, days: sign * days))
        }
        return result.advanced(by: .nanoseconds(lead.nanoseconds) * sign)
    }

    public static func == (left: Zone, right: Zone) -> Bool {
        left === right || left.hash == right.hash && left.name == right.name && left.table == right.table
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension Timestamp {
    /// An instant that many seconds and nanoseconds after the epoch; saturates at the ends of the range.
    init(seconds: Int64, nanosecond: Int64) {
        // A second before the epoch and its nanoseconds point in different directions: that of the earliest second that has an
        // instant begins before the range.
        if seconds < 0 {
            let (product, overflow) = (seconds + 1).multipliedReportingOverflow(by: 1_000_000_000)
            let (sum, carried) = product.addingReportingOverflow(nanosecond - 1_000_000_000)
            self.init(nanoseconds: overflow || carried ? .min : sum)
        } else {
            let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            let (sum, carried) = product.addingReportingOverflow(nanosecond)
            self.init(nanoseconds: overflow || carried ? .max : sum)
        }
    }
}
