import Testing
import TminusCore

@Suite("Rate limits")
struct RateLimitTests {
    private let start = Timestamp(seconds: 1_000)

    @Test(
        "a limit is a number per period",
        arguments: [
            ("10/min", RateLimit(10, per: .seconds(60))), ("100/s", RateLimit(100, per: .seconds(1))),
            (" 3 / hour ", RateLimit(3, per: .seconds(3_600))), ("1/d", RateLimit(1, per: .seconds(86_400))),
        ])
    func text(text: String, limit: RateLimit) {
        #expect(RateLimit(text) == limit)
    }

    @Test(
        "any other text is no limit",
        arguments: ["", "10", "0/s", "-1/s", "1/0", "1/fortnight", "1/s/s", "a/s", "1000001/s"])
    func notText(text: String) {
        #expect(RateLimit(text) == nil)
    }

    @Test("at most the count plus one attempts per period, and the exact rate in the long run")
    func rate() {
        var bucket = RateBucket(RateLimit(10, per: .seconds(60)), now: start)
        var sent: [Double] = []
        for step in 0..<6_000 {
            let now = start.advanced(by: .milliseconds(100 * step))
            #expect((bucket.room(at: now) > 0) == (bucket.next(at: now) == nil))
            if bucket.room(at: now) > 0 {
                bucket.take(at: now)
                sent.append(Double(step) / 10)
            }
        }
        #expect(sent.count == 100)
        #expect(sent.allSatisfy { first in sent.count { $0 >= first && $0 < first + 60 } <= 11 })
    }

    @Test("unused tokens accumulate up to the count; a stopped clock adds none")
    func burst() {
        var bucket = RateBucket(RateLimit(10, per: .seconds(60)), now: start)
        #expect(bucket.room(at: start) == 1)
        let later = start.advanced(by: .seconds(86_400))
        #expect(bucket.room(at: later) == 10)
        for _ in 0..<10 { bucket.take(at: later) }
        #expect(bucket.room(at: later) == 0)
        #expect(bucket.next(at: later) == later.advanced(by: .seconds(6)))
        #expect(bucket.room(at: start) == 0)
    }
}
