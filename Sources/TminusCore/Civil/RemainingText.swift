/// Remaining time in few words that change seldom.
public enum RemainingText {
    /// The words for a remaining time, or for a past one (negative).
    ///
    /// Under a minute `45 s`, up to an hour `59 min`, up to ninety minutes `1.5 hours`, up to two days whole hours (`2
    /// hours`), then whole days (`3 days`). All are rounded to the nearest unit, so a reminder sent some milliseconds
    /// late still says `5 min`. A past time ends in ` ago`.
    public static func words(_ nanoseconds: Int64) -> String {
        let length = nanoseconds.magnitude
        let words = words(magnitude: length)
        return nanoseconds < 0 && words != "0 s" ? words + " ago" : words
    }

    private static func words(magnitude length: UInt64) -> String {
        let second: UInt64 = 1_000_000_000
        let seconds = (length + second / 2) / second
        switch length {
        case _ where seconds < 60: return "\(seconds) s"
        case ...(3_600 * second): return "\(nearest(length, 60 * second)) min"
        case ...(5_400 * second): return "1.5 hours"
        case ...(172_800 * second): return "\(nearest(length, 3_600 * second)) hours"
        default: return "\(nearest(length, 86_400 * second)) days"
        }
    }

    private static func nearest(_ length: UInt64, _ unit: UInt64) -> UInt64 { (length + unit / 2) / unit }
}
