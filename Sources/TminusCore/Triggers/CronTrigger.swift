/// A cron expression in a zone and within bounds.
public final class CronTrigger: Sendable, Hashable {
    /// The expression.
    public let expression: CronExpression
    /// The zone in which it is read.
    public let zone: Zone
    /// How skipped and repeated clock times are treated.
    public let daylightSaving: DaylightSaving
    /// The bounds: `start`, `until`, `count`, `except`.
    public let bounds: TriggerBounds
    private let times: CronTimes
    private let walk: ClockWalk
    private let limits: BoundInstants

    /// An expression in a zone. Errors: a count without a start to count from.
    public init(
        _ expression: CronExpression, in zone: Zone, daylightSaving: DaylightSaving = .compatible,
        bounds: TriggerBounds = TriggerBounds()
    ) throws(TriggerProblem) {
        self.expression = expression
        self.zone = zone
        self.daylightSaving = daylightSaving
        self.bounds = bounds
        times = CronTimes(expression)
        walk = expression.walk(in: zone, daylightSaving)
        var limits = BoundInstants(bounds, in: zone)
        if let count = try bounds.checkedCount() {
            guard bounds.start != nil else {
                throw TriggerProblem("count", "a count needs a start from which it counts")
            }
            let from = limits.first.previous.parts.seconds + 1
            if let last = walk.nth(count, of: times, from: from) {
                limits.last = min(limits.last, Timestamp(seconds: Int64(last)))
            }
        }
        self.limits = limits
    }

    /// The first occurrence strictly after `instant`; nil if there is none.
    public func next(after instant: Timestamp) -> Timestamp? {
        limits.next(after: instant) { instant in
            walk.first(of: times, from: instant.parts.seconds + 1).map { Timestamp(seconds: Int64($0)) }
        }
    }

    /// The occurrence with that number after an instant, if it is not later than `end`; exceptions are counted.
    func occurrence(_ number: Int, after instant: Timestamp, upTo end: Timestamp) -> Timestamp? {
        let from = max(instant, limits.first.previous).parts.seconds + 1
        let last = min(end, limits.last)
        return walk.nth(number, of: times, from: from, upTo: last.parts.seconds)
            .map { Timestamp(seconds: Int64($0)) }.flatMap { $0 <= last ? $0 : nil }
    }

    /// How a skipped clock time is treated; nil if the rule matches every hour, since then no run is missed.
    var gap: ClockWalk.Gap? { !expression.hasFixedTimes && expression.hour.set == 1 << 24 - 1 ? nil : walk.gap }

    /// The first clock time of the expression in a span of the uniform clock.
    func clockTime(in span: Range<Int>) -> Int? {
        var budget = ClockWalk.budget
        return times.first(from: span.lowerBound, before: span.upperBound, shift: 0, budget: &budget)
    }

    /// A text that is equal for equal rules.
    var canonicalText: String {
        "cron \(expression) in \(zone.name) \(daylightSaving.rawValue) \(bounds.canonicalText)"
    }

    public static func == (left: CronTrigger, right: CronTrigger) -> Bool {
        left === right
            || left.expression == right.expression && left.daylightSaving == right.daylightSaving
                && left.bounds == right.bounds && left.zone == right.zone
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(expression)
        hasher.combine(bounds)
        hasher.combine(zone)
    }
}
