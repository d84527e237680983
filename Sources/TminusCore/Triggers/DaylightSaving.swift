/// How clock times are treated that a zone skips or shows twice.
///
/// The article "Time" describes the effect on each kind of trigger.
public enum DaylightSaving: String, Sendable, Hashable, Codable, CaseIterable {
    /// A skipped time is resolved by the offset before the gap; of a repeated time the first counts (RFC 5545 section
    /// 3.3.5). For `cron`, the rule of Debian's cron(8).
    case compatible
    /// A skipped time is dropped; of a repeated time the first counts.
    case skip
    /// A skipped time is treated as under `compatible`; a repeated time counts twice.
    case both
}
