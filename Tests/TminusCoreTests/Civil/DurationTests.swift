import Testing

@testable import TminusCore

@Suite("durations")
struct DurationTests {
    /// Seconds, additional attoseconds, and the nanoseconds of the sum.
    @Test(
        "have whole nanoseconds, towards zero",
        arguments: [
            (0, 0, 0), (0, 999_999_999, 0), (0, 1_000_000_000, 1), (0, -1_999_999_999, -1), (9, 0, 9_000_000_000),
            (10, 0, 10_000_000_000), (-10, 0, -10_000_000_000), (3_600, 1_999_999_999, 3_600_000_000_001),
            (-3_600, -1_999_999_999, -3_600_000_000_001),
        ] as [(Int64, Int64, Int64)])
    func nanoseconds(_ seconds: Int64, _ attoseconds: Int64, _ expected: Int64) {
        let duration = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
        #expect(duration.nanoseconds == expected)
    }

    @Test("of more than 292 years saturate")
    func saturation() {
        let (most, least) = (Duration.nanoseconds(Int64.max), Duration.nanoseconds(Int64.min))
        #expect([most, least].map(\.nanoseconds) == [.max, -.max])
        let beyond = [most + .nanoseconds(1), least - .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.min)]
        #expect(beyond.map(\.nanoseconds) == [.max, -.max, .max, -.max])
    }
}
