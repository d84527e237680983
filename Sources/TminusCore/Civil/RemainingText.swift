/// The time that is left, in few words that change seldom.
public enum RemainingText {
    /// The words for a time that is left, or of one that is past (negative).
    ///
    /// Under a minute `45 s`, up to an hour `59 min`, above that `1.5 hours` up to ninety minutes, then whole hours (`2 hours`)
    /// up to two days, then whole days (`3 days`). All are rounded to the nearest, so that a reminder that goes out some
    /// milliseconds after its instant still says `5 min`. A time that is past is followed by ` ago`.
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
