/// When a plug-in that ended may be started again: after 1 s, then twice as long each time, up to 5 minutes.
struct PluginBackoff {
    /// After the first end.
    static let first = Duration.seconds(1)
    /// After many.
    static let longest = Duration.seconds(300)
    /// Who was ready and lived that long begins anew.
    static let soundLife = Duration.seconds(60)

    private var ends = 0
    private var notBefore: ContinuousClock.Instant?

    /// A process has ended that was not told to.
    mutating func ended(isSound: Bool, now: ContinuousClock.Instant) {
        ends = isSound ? 1 : ends + 1
        notBefore = now + min(Self.first * (1 << min(ends - 1, 20)), Self.longest)
    }

    /// How long to wait until the next start; nil if it may be now.
    func wait(now: ContinuousClock.Instant) -> Duration? {
        guard let notBefore, notBefore > now else { return nil }
        return notBefore - now
    }
}
