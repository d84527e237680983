/// What bounds a trigger: the keys `start`, `until`, `count` and `except`.
public struct TriggerBounds: Sendable, Hashable {
    /// Nothing occurs before; where a rule counts from.
    public var start: DateOrTime?
    /// The last moment, which still belongs to it.
    public var until: DateOrTime?
    /// How many occurrences from `start` on; those that `except` leaves out are counted.
    public var count: Int?
    /// What is left out: whole days, clock times, instants.
    public var except: [DateOrTime]

    /// Bounds; none by default.
    public init(
        start: DateOrTime? = nil, until: DateOrTime? = nil, count: Int? = nil, except: [DateOrTime] = []
    ) {
        self.start = start
        self.until = until
        self.count = count
        self.except = except
    }

    /// How many occurrences there are, if that is bounded. Error: less than one.
    func checkedCount() throws(TriggerProblem) -> Int? {
        if let count, count < 1 { throw TriggerProblem("count", "a count is at least 1") }
        return count
    }

    /// The same text for the same bounds.
    var canonicalText: String {
        var parts: [String] = []
        if let start { parts.append("start \(start.canonicalText)") }
        if let until { parts.append("until \(until.canonicalText)") }
        if let count { parts.append("count \(count)") }
        if !except.isEmpty {
            parts.append("except \(Set(except.map(\.canonicalText)).sorted().joined(separator: ","))")
        }
        return parts.joined(separator: " ")
    }
}

/// Why a trigger cannot be made of its keys.
public struct TriggerProblem: Error, Sendable, Hashable {
    /// The key it is about: `start`, `count`, `every`, `rrule`.
    public var key: String
    /// What is wrong and what to write instead.
    public var message: String

    /// A problem with a key.
    public init(_ key: String, _ message: String) {
        self.key = key
        self.message = message
    }
}

/// Bounds as instants of a zone.
struct BoundInstants: Sendable {
    /// The earliest instant that may occur.
    var first: Timestamp
    /// The latest instant that may occur.
    var last: Timestamp
    private let zone: Zone
    /// Numbers of days that are left out, ascending.
    private let days: [Int]
    /// Instants that are left out, ascending.
    private let instants: [Timestamp]

    /// The bounds in a zone, but for the count.
    init(_ bounds: TriggerBounds, in zone: Zone) {
        self.zone = zone
        first = bounds.start?.earliest(in: zone) ?? .distantPast
        last = bounds.until?.latest(in: zone) ?? .distantFuture
        days = Set(bounds.except.compactMap { if case .day(let day) = $0 { day.dayNumber } else { nil } }).sorted()
        instants = Set(
            bounds.except.flatMap { (item: DateOrTime) -> [Timestamp] in
                if case .day = item { return [] }
                return [item.earliest(in: zone), item.latest(in: zone)]
            }
        ).sorted()
    }

    /// The first instant after `instant` that `rule` gives and that is within the bounds.
    @inline(__always)
    func next(after instant: Timestamp, _ rule: (Timestamp) -> Timestamp?) -> Timestamp? {
        guard instant < last else { return nil }
        guard let next = rule(max(instant, first.previous)), next <= last else { return nil }
        if days.isEmpty, instants.isEmpty { return next }
        return nextNotExcepted(next, rule)
    }

    private func nextNotExcepted(_ candidate: Timestamp, _ rule: (Timestamp) -> Timestamp?) -> Timestamp? {
        var next: Timestamp? = candidate
        while let candidate = next, candidate <= last {
            var from = candidate
            let day = zone.local(candidate).dayNumber
            if Self.contains(days, day) {
                // To the end of the day at once; where midnight comes twice, this can lie behind.
                let end = zone.instant(of: LocalDateTime(epochSeconds: (day + 1) * 86_400, nanosecond: 0))
                from = max(candidate, end.previous)
            } else if !Self.contains(instants, candidate) {
                return candidate
            }
            next = rule(from)
        }
        return nil
    }

    private static func contains<Value: Comparable>(_ sorted: [Value], _ value: Value) -> Bool {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low < sorted.count && sorted[low] == value
    }
}
