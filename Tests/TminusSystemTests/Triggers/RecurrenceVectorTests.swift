import Testing
import TminusCore

/// The `rrule_*` families of the schedule vectors, over the machine's tzdata.
struct RecurrenceVectorTests {
    @Test(
        "every rule has the occurrences that other implementations give",
        arguments: [("rrule_basic", 495), ("rrule_hard", 86), ("rrule_dst", 180)])
    func occurrences(family: String, count: Int) throws {
        let vectors = try TriggerVector.load(family)
        #expect(vectors.count == count)
        for vector in vectors {
            let expected = try #require(vector.occurrences).map(\.utc)
            #expect(try vector.ruleOccurrences(vector.n ?? 0) == expected, "\(vector)")
        }
    }

    @Test("every invalid rule is an error whose range is inside the text")
    func invalid() throws {
        let vectors = try TriggerVector.load("rrule_invalid")
        #expect(vectors.count == 38)
        for vector in vectors {
            let text = vector.rrule ?? ""
            guard case .failure(let problem) = RecurrenceRule.parse(text) else {
                Issue.record("\(text.debugDescription) was read")
                continue
            }
            #expect(problem.range.lowerBound >= 0 && problem.range.upperBound <= text.unicodeScalars.count, "\(vector)")
            #expect(!problem.message.isEmpty)
        }
    }

    /// Which alternative was decided on for each open question, by rule or else by topic.
    static let decisions = [
        "bysetpos-first-week": "whole week", "dtstart-in-gap": "clock time as written, offset before the gap",
        "dtstart-not-in-the-rule": "DTSTART is the first and is counted",
        "rfc-example-erratum": "as the rule is written", "rfc-must-not-or-lenient": "error",
        "sub-daily-across-transition": "elapsed time",
        // The grammar allows leading zeros: 1*DIGIT.
        "FREQ=DAILY;INTERVAL=01;COUNT=02": "dateutil",
        // Well formed, and from 09:00 on every other hour is 01:00 as well.
        "FREQ=HOURLY;INTERVAL=2;BYHOUR=1": "dateutil",
    ]

    @Test("every open question has the answer that was decided")
    func open() throws {
        let vectors = try TriggerVector.load("rrule_open")
        #expect(vectors.count == 65)
        for vector in vectors {
            let rule = vector.rrule ?? ""
            let decision = try #require(Self.decisions[rule] ?? Self.decisions[vector.topic ?? ""], "\(vector)")
            switch vector.alternatives?[decision] {
            case .instants(let expected):
                let found = try vector.ruleOccurrences(vector.n ?? 0)
                // Where a source does not add a start that is not in the rule, the others still agree.
                let others =
                    expected.first == found.first
                    ? expected : Array(found.prefix(1)) + Array(expected.prefix(max(0, found.count - 1)))
                #expect(found == others, "\(vector)")
            case .text: #expect(throws: (any Error).self, "\(vector)") { try vector.ruleOccurrences(1) }
            case nil: Issue.record("\(vector) has no alternative \(decision)")
            }
        }
    }
}
