import Testing
import TminusCore

@testable import TminusSystem

struct AlarmPlanTests {
    private static let start = AlarmPlan.Look(now: Timestamp(seconds: 1_000), offset: 500_000_000_000)

    /// The clocks `seconds` after the start, with the wall clock set by `step` nanoseconds since.
    private func look(_ seconds: Int64, step: Int64 = 0) -> AlarmPlan.Look {
        AlarmPlan.Look(
            now: Timestamp(nanoseconds: (1_000 + seconds) * 1_000_000_000 + step), offset: 500_000_000_000 + step)
    }

    @Test("a deadline that has come is due once")
    func due() {
        var plan = AlarmPlan(Self.start)
        #expect(plan.set(Timestamp(seconds: 1_010), look(0)) == .init(wake: Timestamp(seconds: 1_010)))
        #expect(plan.look(look(10)) == .init(isDue: true, wake: AlarmPlan.far))
        #expect(plan.look(look(11)) == .init(wake: AlarmPlan.far))
    }

    @Test("a timer that expires early is armed again and says nothing")
    func early() {
        var plan = AlarmPlan(Self.start)
        _ = plan.set(Timestamp(seconds: 1_010), look(0))
        #expect(plan.look(look(10, step: -1)) == .init(wake: Timestamp(seconds: 1_010)))
    }

    @Test("a clock that is set forward past the deadline is a step and due")
    func forward() {
        var plan = AlarmPlan(Self.start)
        _ = plan.set(Timestamp(seconds: 1_010), look(0))
        #expect(
            plan.look(look(1, step: 60_000_000_000))
                == .init(isDue: true, step: .seconds(60), wake: AlarmPlan.far))
    }

    @Test("a clock that is set back is a step, and the deadline stays")
    func back() {
        var plan = AlarmPlan(Self.start)
        _ = plan.set(Timestamp(seconds: 1_010), look(0))
        #expect(
            plan.look(look(10, step: -3_600_000_000_000))
                == .init(step: .seconds(-3_600), wake: Timestamp(seconds: 1_010)))
        #expect(plan.look(look(3_610, step: -3_600_000_000_000)) == .init(isDue: true, wake: AlarmPlan.far))
    }

    @Test("a step is noticed without a deadline, and when a deadline is set")
    func withoutDeadline() {
        var plan = AlarmPlan(Self.start)
        #expect(plan.look(look(1, step: 5_000_000)) == .init(step: .milliseconds(5), wake: AlarmPlan.far))
        #expect(
            plan.set(Timestamp(seconds: 1_010), look(2, step: 9_000_000))
                == .init(step: .milliseconds(4), wake: Timestamp(seconds: 1_010)))
        #expect(plan.set(nil, look(3, step: 9_000_000)) == .init(wake: AlarmPlan.far))
    }

    @Test("differences under a millisecond are no step until they add up")
    func small() {
        var plan = AlarmPlan(Self.start)
        #expect(plan.look(look(1, step: 600_000)).step == nil)
        #expect(plan.look(look(2, step: -600_000)).step == nil)
        #expect(plan.look(look(3, step: 1_200_000)).step == .microseconds(1_200))
        #expect(plan.look(look(4, step: 1_200_000)).step == nil)
    }

    @Test("the widest steps do not overflow")
    func extremes() {
        var plan = AlarmPlan(.init(now: .distantPast, offset: .min))
        #expect(plan.look(.init(now: .distantFuture, offset: .max)).step == .nanoseconds(Int64.max))
        #expect(plan.look(.init(now: .distantPast, offset: .min)).step == .nanoseconds(Int64.min))
    }
}
