import Testing
import TminusCore

@Suite("The codes of recorded reasons")
struct ReasonCodeTests {
    @Test("every reason of an omission has its own code, with a note too", arguments: Omission.Reason.allCases)
    func omission(reason: Omission.Reason) {
        #expect(ReasonCode(reason.words).rawValue == reason.rawValue)
        #expect(ReasonCode("\(reason.words) (ada: the disk (old) is changed)").rawValue == reason.rawValue)
    }

    @Test("every fixed reason has the code that is its own", arguments: FixedReason.allCases)
    func fixed(reason: FixedReason) {
        #expect(ReasonCode(reason.rawValue) == reason.code)
    }

    @Test(
        "the other words have codes",
        arguments: [
            (Overlap.replacedReason, ReasonCode.replaced), (InterruptedAttempts.reason, .interrupted),
            ("discarded after: exit status 3", .discarded), (FixedReason.undeclaredSink("chat's"), .missingSink),
            (FixedReason.unsupportedSink("carrier"), .missingSink), ("HTTP 410", .httpStatus),
            ("chat.example.com: HTTP 503 (the limit is 3 attempts)", .httpStatus),
            ("redirected to https://a.example:8443/x: HTTP 500", .httpStatus), ("exit status 75", .exitStatus),
            ("ended by signal 9 (KILL)", .signal), ("timed out after 10 seconds", .timeout),
            ("chat.example.com: timed out after 10 seconds", .timeout),
            ("the plug-in gave no answer within 30 seconds", .timeout), ("connection refused", .sinkFailed),
            ("HTTP is not spoken here", .sinkFailed), ("", .sinkFailed), (":::", .sinkFailed), ("(", .sinkFailed),
        ])
    func others(words: String, code: ReasonCode) {
        #expect(ReasonCode(words) == code)
    }

    @Test("a withdrawal is recorded with the code of what caused it")
    func withdrawal() {
        let occurrence = Timestamp(seconds: 60)
        let causes: [(Withdrawal.Cause, ReasonCode)] = [
            (.removed, .removed), (.disabled, .disabled), (.muted, .muted), (.skipped(occurrence), .skipped),
            (.moved(.timer(deadline: nil, now: Timestamp(seconds: 0))), .editedAway),
        ]
        for (cause, code) in causes {
            let words = Withdrawal(nil, cause).reason(for: .reminder, isTest: false, occurrence: occurrence)
            #expect(words.map { ReasonCode($0) } == code)
        }
    }
}
