/// What is done about clock times that a zone skips or shows twice.
///
/// What it means for each kind of trigger is in the article "Time".
public enum DaylightSaving: String, Sendable, Hashable, Codable, CaseIterable {
    /// A skipped time counts by the offset before the gap; of a repeated one the first (RFC 5545 section 3.3.5). For `cron`,
    /// the rule of Debian's cron(8).
    case compatible
    /// A skipped time is left out; of a repeated one the first counts.
    case skip
    /// A skipped time as under `compatible`; a repeated one counts twice.
    case both
}
