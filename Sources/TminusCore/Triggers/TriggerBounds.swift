/// The bounds of a trigger: the keys `start`, `until`, `count` and `except`.
public struct TriggerBounds: Sendable, Hashable {
    /// The inclusive begin, from which rules count.
    public var start: DateOrTime?
    /// The inclusive end.
    public var until: DateOrTime?
    /// The number of occurrences from `start` on, including those that `except` removes.
    public var count: Int?
    /// Removed days, local times and instants.
    public var except: [DateOrTime]

    /// Creates bounds; by default there are none.
    public init(
        start: DateOrTime? = nil, until: DateOrTime? = nil, count: Int? = nil, except: [DateOrTime] = []
    ) {
        self.start = start
        self.until = until
        self.count = count
        self.except = except
    }

    /// The number of occurrences; nil means unbounded. Error: less than one.
    func checkedCount() throws(TriggerProblem) -> Int? {
        if let count, count < 1 { throw TriggerProblem("count", "a count is at least 1") }
        return count
    }

    /// A text that is equal for equal bounds.
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

/// Why the keys of a trigger do not make a valid trigger.
public struct TriggerProblem: Error, Sendable, Hashable {
    /// The wrong key: `start`, `count`, `every`, `rrule`.
    public var key: String
    /// What is wrong and what to write instead.
    public var message: String

    /// A problem with a key.
    public init(_ key: String, _ message: String) {
        self.key = key
        self.message = message
    }
}

/// The bounds as instants in a zone.
struct BoundInstants: Sendable {
    /// The earliest allowed instant.
    var first: Timestamp
    /// The latest allowed instant.
    var last: Timestamp
    private let zone: Zone
    /// Removed days as day numbers, ascending.
    private let days: [Int]
    /// Removed instants, ascending.
    private let instants: [Timestamp]

    /// The bounds in a zone, except for the count.
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

    /// The first instant after `instant` that `rule` yields and the bounds allow.
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
                // Skips to the end of the day. Where midnight occurs twice, that end can lie before the candidate.
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
