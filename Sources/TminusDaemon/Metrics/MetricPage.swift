internal import TminusCore

/// The samples of one answer, by family. A value.
struct MetricPage: Sendable {
    /// The value of a sample, exact.
    enum Value: Sendable, Hashable {
        /// A count or another whole number.
        case count(UInt64)
        /// A time in nanoseconds, written in seconds.
        case nanoseconds(Int64)

        /// A whole number; a negative one counts as zero.
        static func whole(_ number: Int) -> Value { .count(UInt64(clamping: number)) }
        /// A duration, or the time since 1970.
        static func seconds(_ time: Duration) -> Value { .nanoseconds(time.nanoseconds) }
        /// An instant; 0 for nil.
        static func instant(_ instant: Timestamp?) -> Value { .nanoseconds(instant?.nanoseconds ?? 0) }
        /// 1 or 0.
        static func flag(_ isTrue: Bool) -> Value { .count(isTrue ? 1 : 0) }

        /// The number as text.
        var text: String {
            switch self {
            case .count(let number): String(number)
            case .nanoseconds(let time): Self.seconds(time)
            }
        }

        private static func seconds(_ time: Int64) -> String {
            let magnitude = time.magnitude
            let sign = time < 0 ? "-" : ""
            var digits = String(magnitude % 1_000_000_000)
            guard digits != "0" else { return "\(sign)\(magnitude / 1_000_000_000)" }
            digits = String(repeating: "0", count: 9 - digits.count) + digits
            while digits.hasSuffix("0") { digits.removeLast() }
            return "\(sign)\(magnitude / 1_000_000_000).\(digits)"
        }
    }

    /// The families that may occur, in the order in which they are written.
    let families: [MetricFamily]
    private var samples: [MetricFamily: [(labels: [String], value: Value)]] = [:]
    private var histograms: [MetricFamily: [(labels: [String], counts: Histogram)]] = [:]

    /// A page without samples.
    init(_ families: [MetricFamily]) { self.families = families }

    /// Adds a sample; `labels` are the values in the order of the family's labels.
    mutating func add(_ family: MetricFamily, _ labels: [String], _ value: Value) {
        samples[family, default: []].append((labels, value))
    }

    /// Adds the counts of a histogram.
    mutating func add(_ family: MetricFamily, _ labels: [String], _ counts: Histogram) {
        histograms[family, default: []].append((labels, counts))
    }

    /// Adds the sample of a family without labels.
    mutating func add(_ family: MetricFamily, _ value: Value) { add(family, [], value) }

    /// Adds the counts of a histogram without labels.
    mutating func add(_ family: MetricFamily, _ counts: Histogram) { add(family, [], counts) }

    /// The page as text. A family without a sample is left out.
    func text(_ format: MetricFormat) -> String {
        var text = ""
        for family in families {
            let samples = samples[family] ?? []
            let histograms = histograms[family] ?? []
            guard !samples.isEmpty || !histograms.isEmpty else { continue }
            let name = format.familyName(family)
            text += "# HELP \(name) \(format.escapedHelp(family.help))\n# TYPE \(name) \(family.kind.rawValue)\n"
            for (labels, value) in samples {
                text += "\(family.name)\(Self.braces(family.labels, labels)) \(value.text)\n"
            }
            for (labels, counts) in histograms { Self.write(counts, family, labels, to: &text) }
        }
        return text + format.end
    }

    private static func write(_ counts: Histogram, _ family: MetricFamily, _ labels: [String], to text: inout String) {
        let bounds = counts.bounds.map(bound) + ["+Inf"]
        for (bound, count) in zip(bounds, counts.cumulated) {
            text += "\(family.name)_bucket\(braces(family.labels + ["le"], labels + [bound])) \(count)\n"
        }
        let own = braces(family.labels, labels)
        text += "\(family.name)_sum\(own) \(Value.nanoseconds(counts.sum).text)\n"
        text += "\(family.name)_count\(own) \(counts.count)\n"
    }

    /// An upper bound, which always has a fraction (OpenMetrics 1.0, canonical numbers).
    private static func bound(_ nanoseconds: Int64) -> String {
        let text = Value.nanoseconds(nanoseconds).text
        return text.contains(".") ? text : text + ".0"
    }

    private static func braces(_ names: [String], _ values: [String]) -> String {
        guard !names.isEmpty else { return "" }
        let pairs = zip(names, values).map { "\($0)=\"\(MetricFormat.escapedLabel($1))\"" }
        return "{\(pairs.joined(separator: ","))}"
    }
}
