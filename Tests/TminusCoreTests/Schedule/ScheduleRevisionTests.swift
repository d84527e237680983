import Testing

@testable import TminusCore

struct ScheduleRevisionTests {
    @Test func `the digests identify the rule and the lead times, whatever their order`() {
        let plain = ScheduleRevision(.timer(.seconds(60)))
        let hour = ScheduleRevision(.timer(.seconds(60), remind: [.seconds(3_600)]))
        let both = ScheduleRevision(.timer(.seconds(60), remind: [.seconds(3_600), .seconds(60)]))
        let reversed = ScheduleRevision(.timer(.seconds(60), remind: [.seconds(60), .seconds(3_600)]))
        let longer = ScheduleRevision(.timer(.seconds(61), remind: [.seconds(3_600)]))
        #expect(Set([plain, hour, both, reversed].map(\.fingerprint)).count == 1)
        #expect(longer.fingerprint != hour.fingerprint)
        #expect(Set([plain, hour, both].map(\.leads)).count == 3)
        #expect(reversed.leads == both.leads)
        #expect(longer.leads == hour.leads)
    }

    @Test func `the alerts of a stopwatch are lead times`() {
        let plain = ScheduleRevision(.stopwatch())
        let alert = ScheduleRevision(.stopwatch(alerts: [.seconds(5)]))
        #expect(plain.fingerprint == alert.fingerprint)
        #expect(plain.leads != alert.leads)
    }

    /// The store keeps them, so another version must compute the same.
    @Test func `the digests are stable`() {
        let revision = ScheduleRevision(.timer(.seconds(60), remind: [.seconds(3_600)]))
        #expect(revision.fingerprint == 0x0323_bd1a_a2fb_7f22)
        #expect(revision.leads == 0x832d_0856_ebf3_1071)
    }
}
