internal import TminusCore

/// Detects steps of the wall clock and time in suspend by comparing clocks.
///
/// The wall clock and the time since boot both count suspended time and are slewed alike (clock_gettime(2)), so only
/// setting the clock changes their difference. Time in suspend is what the time since boot counts and the monotonic
/// clock does not.
struct ClockSteps {
    /// The readings of the clocks at one moment.
    struct Look {
        var now: Timestamp
        /// `CLOCK_BOOTTIME` in nanoseconds.
        var sinceBoot: Int64
        /// `CLOCK_MONOTONIC` in nanoseconds: like `sinceBoot`, but it stands still in suspend.
        var awake: Int64
        /// How long reading took, in nanoseconds: the readings may be apart by half of that.
        var width: Int64

        fileprivate var offset: Int64 { now.nanoseconds &- sinceBoot }
        fileprivate var asleep: Int64 { sinceBoot &- awake }
    }

    /// The smallest step in nanoseconds; smaller differences come from reading the clocks one after the other.
    static let smallestStep: Int64 = 1_000_000
    /// How long a look stays usable, in nanoseconds, if it took less than ``narrowWidth``.
    static let recentTime: Int64 = 100_000
    static let narrowWidth: Int64 = 1_000

    private var offset: Int64
    private var asleep: Int64
    private var setBy: Duration = .zero
    private var slept: Duration = .zero
    private var latest: Look

    /// Starts to count steps at `look`.
    init(_ look: Look) {
        offset = look.offset
        asleep = look.asleep
        latest = look
    }

    /// The reading at an instant of `CLOCK_BOOTTIME`, in nanoseconds, derived from the last look; nil if that is too
    /// old.
    func recent(_ sinceBoot: Int64) -> ClockReading? {
        let past = sinceBoot &- latest.sinceBoot
        guard latest.width < Self.narrowWidth, (0..<Self.recentTime).contains(past) else { return nil }
        return ClockReading(now: latest.now.advanced(by: .nanoseconds(past)), setBy: setBy, slept: slept)
    }

    /// The reading at a look. A difference too small to count stays for the next look, so that small ones add up.
    mutating func reading(_ look: Look) -> ClockReading {
        latest = look
        let difference = look.offset &- offset
        if difference.magnitude >= UInt64(Self.smallestStep) {
            offset = look.offset
            setBy += .nanoseconds(difference)
        }
        let sleep = look.asleep &- asleep
        if sleep >= Self.smallestStep {
            asleep = look.asleep
            slept += .nanoseconds(sleep)
        }
        return ClockReading(now: look.now, setBy: setBy, slept: slept)
    }
}
