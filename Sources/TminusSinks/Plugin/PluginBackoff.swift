/// When a plug-in that ended may be started again: after 1 s, then twice as long each time, up to 5 minutes.
struct PluginBackoff {
    /// The pause after the first end.
    static let first = Duration.seconds(1)
    /// The longest pause.
    static let longest = Duration.seconds(300)
    /// A plug-in that was ready and ran that long starts again with the first pause.
    static let soundLife = Duration.seconds(60)

    private var ends = 0
    private var notBefore: ContinuousClock.Instant?

    /// A process has ended by itself.
    mutating func ended(isSound: Bool, now: ContinuousClock.Instant) {
        ends = isSound ? 1 : ends + 1
        notBefore = now + min(Self.first * (1 << min(ends - 1, 20)), Self.longest)
    }

    /// How long to wait until the next start; nil if it may start now.
    func wait(now: ContinuousClock.Instant) -> Duration? {
        guard let notBefore, notBefore > now else { return nil }
        return notBefore - now
    }
}
