/// How often a time was how long: counts by fixed bounds, as Prometheus has them. Observing allocates nothing.
package struct Histogram: Sendable, Hashable {
    /// The upper bounds, inclusive and ascending, in nanoseconds.
    package let bounds: [Int64]
    /// How many observations each bound is the first for; the last count is of those above all bounds.
    package private(set) var counts: [UInt64]
    /// The sum of the observations, in nanoseconds. It wraps after 292 years.
    package private(set) var sum: Int64 = 0

    /// Counts without an observation.
    package init(_ bounds: [Duration]) {
        self.bounds = bounds.map(\.nanoseconds)
        counts = [UInt64](repeating: 0, count: bounds.count + 1)
    }

    /// Counts an observation; a negative one counts as zero.
    package mutating func observe(_ time: Duration) {
        let value = max(0, time.nanoseconds)
        sum &+= value
        // Mostly short times: the first bounds are the likely ones.
        var place = 0
        while place < bounds.count, bounds[place] < value { place += 1 }
        counts[place] &+= 1
    }

    /// The number of observations.
    package var count: UInt64 { counts.reduce(0, &+) }

    /// The counts up to and with each bound, and last the number of all.
    package var cumulated: [UInt64] {
        var sum: UInt64 = 0
        return counts.map { count in
            sum &+= count
            return sum
        }
    }
}

extension Histogram {
    /// How late something was: 0.5 ms to 1 day.
    package static let lateness = Histogram([
        .microseconds(500), .milliseconds(1), .microseconds(2_500), .milliseconds(5), .milliseconds(10),
        .milliseconds(25), .milliseconds(50), .milliseconds(100), .milliseconds(250), .seconds(1), .seconds(5),
        .seconds(60), .seconds(3_600), .seconds(86_400),
    ])
    /// How long something took: 1 ms to 10 min.
    package static let duration = Histogram([
        .milliseconds(1), .milliseconds(5), .milliseconds(25), .milliseconds(100), .milliseconds(500), .seconds(1),
        .seconds(5), .seconds(10), .seconds(60), .seconds(600),
    ])
    /// How long a transaction took: 1 ms to 10 s.
    package static let transaction = Histogram([
        .milliseconds(1), .milliseconds(5), .milliseconds(25), .milliseconds(100), .seconds(1), .seconds(10),
    ])
    /// How long an answer over HTTP took: 0.25 ms to 10 s.
    package static let http = Histogram([
        .microseconds(250), .milliseconds(1), .milliseconds(5), .milliseconds(25), .milliseconds(100), .seconds(1),
        .seconds(10),
    ])
}
