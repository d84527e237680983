import Testing
import TminusCore

@Suite("Retries")
struct RetryPolicyTests {
    let policy = RetryPolicy.standard
    let created = Timestamp(seconds: 1_000)

    private func outcome(
        _ error: DeliveryError, attempt: Int = 1, after seconds: Int = 0, share: Double = 1
    ) -> Outcome {
        policy.outcome(
            of: error, attempt: attempt, created: created, now: created.advanced(by: .seconds(seconds)), share: share)
    }

    private func retry(at seconds: Int) -> Outcome {
        .retry(at: created.advanced(by: .seconds(seconds)), reason: "busy")
    }

    @Test("the bound of the wait doubles from 1 s to 5 min", arguments: [(1, 1), (2, 2), (5, 16), (9, 256)])
    func doubling(attempt: Int, seconds: Int) {
        #expect(outcome(.transient("busy"), attempt: attempt) == retry(at: seconds))
        #expect(outcome(.transient("busy"), attempt: attempt, share: 0.5) != retry(at: seconds))
    }

    @Test("the tenth attempt is the last, and a lasting failure has only one")
    func limit() {
        #expect(outcome(.transient("busy"), attempt: 10) == .dead(reason: "busy (given up after 10 attempts)"))
        #expect(outcome(.permanent("gone")) == .dead(reason: "gone"))
    }

    @Test("a server's Retry-After is heeded, but not beyond the last moment, which it gets")
    func retryAfter() {
        #expect(outcome(.transient("busy", retryAfter: .seconds(600))) == retry(at: 600))
        #expect(outcome(.transient("busy", retryAfter: .seconds(.max / 2))) == retry(at: 86_400))
        guard case .dead = outcome(.transient("busy"), after: 86_400) else {
            Issue.record("a day is over and it is tried again")
            return
        }
    }
}
