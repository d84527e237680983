import Testing
import TminusCore
import TminusTestKit

@Suite("When the words for a remaining time change")
struct RemainingTextChangeTests {
    private static let edges: [Int64] = [
        0, 1, 499_999_999, 500_000_000, 59_499_999_999, 59_500_000_000, 89_999_999_999, 90_000_000_000,
        3_569_999_999_999, 3_570_000_000_000, 3_600_000_000_000, 3_600_000_000_001, 5_400_000_000_000,
        5_400_000_000_001, 9_000_000_000_000, 172_800_000_000_000, 172_800_000_000_001, 216_000_000_000_000,
    ]

    private static func samples() -> [Int64] {
        var random = SeededRandom(5)
        let any = (0..<2_000).map { _ in Int64.random(in: 0...(1 << Int64.random(in: 20...50)), using: &random) }
        return edges + any
    }

    @Test("they change exactly when predicted while time runs down, before and after zero")
    func runningDown() {
        for left in Self.samples().flatMap({ [$0, -$0] }) {
            let steady = RemainingText.steadyTime(runningDown: left).nanoseconds
            #expect(steady > 0)
            #expect(RemainingText.words(left - steady + 1) == RemainingText.words(left), "\(left)")
            #expect(RemainingText.words(left - steady) != RemainingText.words(left), "\(left)")
        }
    }

    @Test("no length is too long", arguments: [Int64.min, .min + 1, -.max / 2, .max - 1, .max])
    func extremes(length: Int64) {
        #expect(RemainingText.steadyTime(runningDown: length) > .zero)
        #expect(RemainingText.steadyTime(growing: Int64(clamping: length.magnitude)) > .zero)
    }

    @Test("they stay exactly as long as is said while time grows")
    func growing() {
        for length in Self.samples() {
            let steady = RemainingText.steadyTime(growing: length).nanoseconds
            #expect(steady > 0)
            #expect(RemainingText.words(length + steady - 1) == RemainingText.words(length), "\(length)")
            #expect(RemainingText.words(length + steady) != RemainingText.words(length), "\(length)")
        }
    }
}
