/// How late is still on time, and how late is still useful.
public enum Lateness {
    /// Up to this late a firing counts as on time: it is sent whatever the catch-up policy says. It absorbs a stalled disk
    /// or a short stop of the process, and is far below what a person would call missed.
    public static let punctual = Duration.seconds(5)
    /// Unless a definition says otherwise, an expiry later than this is recorded as missed. A reminder is useful until its
    /// occurrence.
    public static let grace = Duration.seconds(7 * 86_400)
}
