import Testing
import TminusTestKit

@testable import TminusCore

/// The rules by which measurements of another clock give a distance.
@Suite("The distance to another clock")
struct ClockDistanceTests {
    /// A machine that asks another clock, with times in milliseconds since the machine's start.
    private struct Machine {
        var distance = ClockDistance()
        /// How far the other clock really is ahead.
        var truth: Int64

        init(truth: Int64) { self.truth = truth }

        /// Asks at `sent`. The question takes `there`, the answer `back`.
        @discardableResult
        mutating func ask(at sent: Int64, there: Int64 = 1, back: Int64 = 1) -> ClockDistance.Change {
            distance.take(
                ClockDistance.Measurement(
                    sent: time(sent), there: time(sent + there + truth), received: time(sent + there + back)))
        }

        /// How far the shown time is from the truth.
        func error(at steady: Int64) -> Duration {
            time(steady + truth).duration(to: distance.now(at: time(steady)))
        }
    }

    private static let hour: Int64 = 3_600_000

    @Test("it shows the steady time until it is measured; the first measurement counts at once and is no jump")
    func first() {
        for truth in [Self.hour, -90_000, 0] {
            var machine = Machine(truth: truth)
            #expect(machine.distance.now(at: time(5)) == time(5))
            #expect(machine.ask(at: 10) == .course)
            #expect(machine.error(at: 12) == .zero && machine.distance.setBy == .zero)
        }
    }

    @Test("a trip of any length, in either direction, and a stop in its midst change nothing")
    func trips() {
        var machine = Machine(truth: Self.hour)
        machine.ask(at: 0)
        for (there, back) in [(0, 0), (1, 300), (300, 1), (60_000, 2), (2, 60_000), (Self.hour, Self.hour)]
            as [(Int64, Int64)]
        {
            #expect(machine.ask(at: 10, there: there, back: back) == .nothing)
        }
        #expect(machine.error(at: 20) == .zero)
    }

    @Test("after a slow first trip the next quick one puts it right")
    func slowFirst() {
        var machine = Machine(truth: Self.hour)
        machine.ask(at: 0, there: 1, back: 2_001)
        #expect(machine.error(at: 2_002) == .milliseconds(-1_000))
        #expect(machine.ask(at: 3_000) == .jump)
        #expect(machine.error(at: 3_002).magnitude <= .milliseconds(1))
    }

    @Test(
        "a small difference is made up by and by, without a jump and never backwards", arguments: [90, -90] as [Int64])
    func drift(by difference: Int64) {
        var machine = Machine(truth: Self.hour)
        machine.ask(at: 0)
        machine.truth += difference
        let before = machine.distance.now(at: time(1_002))
        #expect(machine.ask(at: 1_000) == .course)
        #expect(machine.distance.now(at: time(1_002)) == before, "it begins where it was")
        var last = before
        for steady in stride(from: 1_003 as Int64, to: 4_000, by: 1) {
            let now = machine.distance.now(at: time(steady))
            #expect((Duration.microseconds(949)...Duration.microseconds(1_051)) ~= last.duration(to: now))
            last = now
        }
        #expect(machine.error(at: 4_000).magnitude <= .milliseconds(1))
        #expect(machine.distance.setBy == .zero)
    }

    @Test("small differences that add up before they are made up are a jump")
    func addsUp() {
        var machine = Machine(truth: 0)
        machine.ask(at: 0)
        machine.truth += 80
        #expect(machine.ask(at: 1_000) == .course)
        machine.truth += 80
        #expect(machine.ask(at: 1_010) == .jump)
        #expect(machine.error(at: 1_012).magnitude <= .milliseconds(1))
    }

    @Test(
        "another server, or a clock that was set, is a jump by the difference; the steady part goes on as it was",
        arguments: [105, -105, 600_000, -600_000, Self.hour, -Self.hour] as [Int64])
    func jump(by difference: Int64) {
        var machine = Machine(truth: 5_000)
        machine.ask(at: 0)
        let before = ClockReading(now: time(990), setBy: .zero)
        let steady = machine.distance.reading(before).steady
        machine.truth += difference
        #expect(machine.ask(at: 1_000) == .jump)
        #expect((machine.distance.setBy - .milliseconds(difference)).magnitude <= .milliseconds(1))
        #expect(machine.error(at: 1_002).magnitude <= .milliseconds(1))
        let after = machine.distance.reading(ClockReading(now: time(1_090), setBy: .zero))
        #expect(steady.duration(to: after.steady) == .milliseconds(100))
        machine.truth -= difference
        #expect(machine.ask(at: 2_000) == .jump)
        #expect(machine.distance.setBy.magnitude <= .milliseconds(2), "the sum of both")
    }

    @Test("what the machine's own clock was set by does not count; its sleep does")
    func machine() {
        var machine = Machine(truth: Self.hour)
        machine.ask(at: 0)
        let reading = ClockReading(now: time(1_000 + 90_000), setBy: .seconds(90), slept: .seconds(7))
        #expect(
            machine.distance.reading(reading)
                == ClockReading(now: time(1_000 + Self.hour), setBy: .zero, slept: .seconds(7)))
    }

    @Test("the steady time of an instant is the first at which it is shown", arguments: 1...200)
    func inverse(seed: UInt64) {
        var random = SeededRandom(seed)
        var machine = Machine(truth: Int64.random(in: -Self.hour...Self.hour, using: &random))
        machine.ask(at: 0)
        for round in 1...20 as ClosedRange<Int64> {
            machine.truth += Int64.random(in: -120...120, using: &random)
            machine.ask(
                at: round * 1_500, there: .random(in: 0...20, using: &random), back: .random(in: 0...20, using: &random)
            )
            let instant = machine.distance.now(at: time(round * 1_500)).advanced(
                by: .nanoseconds(.random(in: -3_000_000_000...3_000_000_000, using: &random)))
            let steady = machine.distance.steady(at: instant)
            #expect(machine.distance.now(at: steady) >= instant)
            #expect(machine.distance.now(at: steady.advanced(by: .nanoseconds(-3))) < instant)
        }
    }

    @Test("the ends of time stay where they are")
    func ends() {
        var machine = Machine(truth: Self.hour)
        machine.ask(at: 0)
        #expect(machine.distance.steady(at: .distantPast) == .distantPast)
        machine = Machine(truth: -Self.hour)
        machine.ask(at: 0)
        #expect(machine.distance.steady(at: .distantFuture) == .distantFuture)
    }

    @Test("two machines with clocks of their own that ask one database show the same, however their clocks drift")
    func agreement() {
        var random = SeededRandom(7)
        // The machines' times since their starts differ, and their quartzes by 100 ppm.
        var (one, two) = (Machine(truth: Self.hour), Machine(truth: -90_000))
        for round in 0..<2_000 as Range<Int64> {
            let steady = round * 3_300
            if round % 30 == 29 {
                one.truth += 10
                two.truth -= 10
            }
            one.ask(at: steady, there: .random(in: 0...3, using: &random), back: .random(in: 0...3, using: &random))
            two.ask(at: steady, there: .random(in: 0...3, using: &random), back: .random(in: 0...3, using: &random))
            #expect(one.error(at: steady + 3_000).magnitude <= .milliseconds(6))
            #expect(two.error(at: steady + 3_000).magnitude <= .milliseconds(6))
        }
        #expect(one.distance.setBy == .zero && two.distance.setBy == .zero)
    }
}

/// An instant that many milliseconds after the start of the machine.
private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
