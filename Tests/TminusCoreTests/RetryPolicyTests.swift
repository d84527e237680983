import Testing
import TminusCore

@Suite("Retries")
struct RetryPolicyTests {
    let created = Timestamp(seconds: 1_000)

    private func outcome(
        _ error: DeliveryError, attempt: Int = 1, after seconds: Int = 0, expires: Int? = nil, share: Double = 1,
        _ policy: RetryPolicy = .standard
    ) -> Outcome {
        policy.outcome(
            of: error, attempt: attempt, since: created, expires: expires.map { created.advanced(by: .seconds($0)) },
            now: created.advanced(by: .seconds(seconds)), share: share)
    }

    private func retry(at seconds: Int) -> Outcome {
        .retry(at: created.advanced(by: .seconds(seconds)), reason: "busy")
    }

    @Test("the bound of the wait doubles from 1 s to 5 min", arguments: [(1, 1), (2, 2), (5, 16), (9, 256)])
    func doubling(attempt: Int, seconds: Int) {
        #expect(outcome(.transient("busy"), attempt: attempt) == retry(at: seconds))
        #expect(outcome(.transient("busy"), attempt: attempt, share: 0.5) != retry(at: seconds))
    }

    @Test("a limit bounds the attempts, and a permanent failure is retried only if the policy says so")
    func limit() {
        var policy = RetryPolicy.standard
        #expect(outcome(.transient("busy"), attempt: 500, after: 60_000) == retry(at: 60_300))
        #expect(outcome(.permanent("gone")) == .dead(reason: "gone"))
        policy.limit = 10
        policy.condition = .any
        #expect(outcome(.transient("busy"), attempt: 10, policy) == .dead(reason: "busy (the limit is 10 attempts)"))
        #expect(outcome(.permanent("busy"), policy) == retry(at: 1))
        policy.limit = 1
        #expect(outcome(.transient("busy"), policy) == .dead(reason: "busy (the limit is 1 attempt)"))
    }

    @Test("the standard outlasts an outage of an hour, and tries once in 5 minutes at least")
    func outage() {
        var (seconds, attempt) = (0.0, 1)
        while seconds < 3_600 {
            let now = created.advanced(by: .seconds(seconds))
            let outcome = RetryPolicy.standard.outcome(
                of: .transient("busy"), attempt: attempt, since: created, now: now, share: 1)
            guard case .retry(let next, _) = outcome else {
                Issue.record("dead after \(seconds) s")
                return
            }
            #expect(now.duration(to: next) <= .seconds(300))
            seconds += Double(now.duration(to: next).nanoseconds) / 1e9
            attempt += 1
        }
    }

    @Test("a share of nothing means another attempt at once, and not the end")
    func noWait() {
        #expect(outcome(.transient("busy"), attempt: 8, after: 40, share: 0) == retry(at: 40))
        #expect(outcome(.transient("busy"), after: 40, share: 1e-12) == retry(at: 40))
    }

    @Test("a delivery that would be useless at its next attempt has expired")
    func expiry() {
        #expect(outcome(.transient("busy"), attempt: 5, expires: 17) == retry(at: 16))
        #expect(outcome(.transient("busy"), attempt: 5, expires: 16) == .expired(reason: "busy"))
        #expect(outcome(.permanent("gone"), expires: 1) == .dead(reason: "gone"))
    }

    @Test(
        "a server's Retry-After is respected, up to an attempt at the last moment, and never shortens the policy's wait"
    )
    func retryAfter() {
        #expect(outcome(.transient("busy", retryAfter: .seconds(600))) == retry(at: 600))
        #expect(outcome(.transient("busy", retryAfter: .seconds(.max / 2))) == retry(at: 86_400))
        // A shorter wait than that of the policy is none.
        for seconds in [0, 3] {
            #expect(outcome(.transient("busy", retryAfter: .seconds(seconds)), attempt: 5) == retry(at: 16))
        }
        guard case .dead = outcome(.transient("busy"), after: 86_400) else {
            Issue.record("a day is over and it is tried again")
            return
        }
    }
}
