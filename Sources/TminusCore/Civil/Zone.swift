/// A time zone: a name and the offset changes for every instant that a ``Timestamp`` can hold.
///
/// Zones are equal if their names and their rules are equal.
public final class Zone: Sendable, Hashable {
    /// The IANA name, such as `Europe/Berlin`, or a substitute for it.
    public let name: String
    let table: ZoneTable
    private let hash: Int

    /// Reads a TZif file (RFC 9636); its footer covers the time after its table. Safe for untrusted bytes.
    public convenience init(name: String, tzif bytes: [UInt8]) throws(ZoneDataError) {
        self.init(name: name, table: try TZif.table(bytes))
    }

    /// Reads a POSIX TZ string, such as `CET-1CEST,M3.5.0,M10.5.0/3`, and applies it to all time.
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

    /// Whether both have the same rules; the names may differ.
    package func hasSameRules(as other: Zone) -> Bool { table == other.table }

    /// The offset at an instant in seconds east of UTC.
    public func offset(at instant: Timestamp) -> Int {
        Int(table.offsets[table.index(at: Int64(instant.parts.seconds))])
    }

    /// The local time at an instant.
    public func local(_ instant: Timestamp) -> LocalDateTime {
        let (seconds, nanosecond) = instant.parts
        return LocalDateTime(
            epochSeconds: seconds + Int(table.offsets[table.index(at: Int64(seconds))]), nanosecond: nanosecond)
    }

    /// The instants at which the clock shows a local time, limited to the range of a ``Timestamp``.
    public func resolve(_ local: LocalDateTime) -> LocalResolution {
        let clock = Int64(local.epochSeconds)
        let nanosecond = Int64(local.nanosecond.clamped(to: 0...999_999_999))
        func instant(_ offset: Int32) -> Timestamp { Timestamp(seconds: clock - Int64(offset), nanosecond: nanosecond) }

        // An instant with this local time lies between `clock - largest` and `clock - smallest`. Only the offsets
        // within that span can apply: usually one or two, more only if a file has changes close together.
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

    /// The instant a lead time before or after an occurrence, limited to the range of a ``Timestamp``.
    ///
    /// Months, then days, are counted on the calendar of this zone, starting at the local time that the clock actually
    /// shows at the occurrence. The time of day stays, a day beyond the end of the month becomes its last day, and a
    /// skipped or repeated local time is resolved as ``LocalResolution/compatible``. The exact part is added last.
    public func instant(_ lead: CalendarSpan, _ side: Reminder.Side, of occurrence: Timestamp) -> Timestamp {
        let sign = side == .before ? -1 : 1
        var result = occurrence
        if lead.months != 0 || lead.days != 0 {
            // Clamped so that negation cannot overflow; the limits exceed every calendar used here.
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
    /// The instant this many seconds and nanoseconds after the epoch; saturates at the ends of the range.
    init(seconds: Int64, nanosecond: Int64) {
        // For negative seconds, count from the next second down: the earliest second with a representable instant
        // itself starts before the range, so multiplying it would overflow.
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
