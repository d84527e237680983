/// The limits for lateness: what counts as on time, and what is still useful.
public enum Lateness {
    /// A firing up to this late counts as on time and is sent whatever the catch-up policy is. The limit covers a
    /// stalled disk or a short stop of the process, and is far below what users would call missed.
    public static let punctual = Duration.seconds(5)
    /// The default grace: an expiry later than this is recorded as missed. A reminder is useful until its occurrence.
    public static let grace = Duration.seconds(7 * 86_400)
}
