import Testing

@testable import TminusDaemon

@Suite("Patience with clients that do not read")
struct ReadingPatienceTests {
    private let start = ContinuousClock.now
    private var patience: ReadingPatience

    init() {
        patience = ReadingPatience(limit: .seconds(30), now: start)
    }

    private func second(_ number: Int) -> ContinuousClock.Instant { start + .seconds(number) }

    @Test("a client that reads nothing for the limit is given up, and not before")
    mutating func silent() {
        patience.began(now: second(100))
        #expect(patience.look(left: 1_000, now: second(100)) == .again(.seconds(5)))
        #expect(patience.look(left: 1_000, now: second(128)) == .again(.seconds(2)))
        // Data that the daemon writes does not show that the client reads.
        patience.began(now: second(129))
        #expect(patience.look(left: 2_000, now: second(129)) == .again(.seconds(1)))
        #expect(patience.look(left: 2_000, now: second(130)) == .over)
    }

    @Test("a client that reads slowly is not given up, however long one write takes")
    mutating func slow() {
        patience.began(now: second(0))
        for number in 0..<100 {
            #expect(patience.look(left: 1_000 - number, now: second(25 * number)) == .again(.seconds(5)))
        }
        #expect(patience.ended(now: second(2_500)) == true)
        #expect(patience.look(left: 0, now: second(9_000)) == .content)
    }

    @Test("a client that has read everything may be silent for as long as it likes")
    mutating func content() {
        patience.began(now: second(0))
        patience.began(now: second(1))
        #expect(patience.ended(now: second(29)) == false)
        #expect(patience.look(left: 10, now: second(58)) == .again(.seconds(1)))
        #expect(patience.ended(now: second(58)) == true)
        patience.began(now: second(5_000))
        #expect(patience.look(left: 10, now: second(5_010)) == .again(.seconds(5)))
    }
}
