internal import TminusCore

/// One value for metrics, in the naming of Prometheus (prometheus.io/docs/practices/naming).
struct Gauge: Sendable, Equatable {
    /// The name of the metric.
    var name: String
    /// What tells it from the others of that name.
    var labels: [String: String] = [:]
    /// The value; seconds where the name says so.
    var value: Double
}

extension DaemonStatus {
    /// What metrics show of the configuration.
    ///
    /// `tminus_config_hash` is the first 48 bits of the hash, which a floating-point number holds exactly.
    var gauges: [Gauge] {
        var gauges = [
            Gauge(name: "tminus_config_last_reload_successful", value: isLastSuccessful ? 1 : 0),
            Gauge(
                name: "tminus_config_last_reload_success_timestamp_seconds",
                value: lastSuccess.map { Double($0.nanoseconds) / 1e9 } ?? 0),
            Gauge(name: "tminus_config_hash", value: Double(hash.flatMap { Int64($0.prefix(12), radix: 16) } ?? 0)),
            Gauge(name: "tminus_config_generation", value: Double(generation)),
            Gauge(name: "tminus_config_definitions", value: Double(definitions)),
        ]
        let counts = counts
        for state in FileStatus.State.allCases {
            gauges.append(
                Gauge(
                    name: "tminus_config_files", labels: ["state": state.rawValue], value: Double(counts[state] ?? 0)))
        }
        return gauges
    }
}
