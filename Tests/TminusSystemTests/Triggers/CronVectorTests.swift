import Testing
import TminusCore

/// The `cron_*` families of the schedule vectors, over the machine's tzdata.
struct CronVectorTests {
    @Test(
        "every expression has the occurrences that other implementations give",
        arguments: [("cron_basic", 620), ("cron_debian_rules", 77), ("cron_dst", 285), ("cron_public", 53)])
    func occurrences(family: String, count: Int) throws {
        let vectors = try TriggerVector.load(family)
        #expect(vectors.count == count)
        for vector in vectors {
            let expected = try #require(vector.next)
            #expect(try vector.cronOccurrences(expected.count) == expected, "\(vector)")
        }
    }

    @Test("every invalid expression is an error whose range is inside the text")
    func invalid() throws {
        let vectors = try TriggerVector.load("cron_invalid")
        #expect(vectors.count == 161)
        for vector in vectors {
            let text = vector.expr ?? ""
            guard case .failure(let problem) = CronExpression.parse(text) else {
                Issue.record("\(text.debugDescription) was read")
                continue
            }
            #expect(problem.range.lowerBound >= 0 && problem.range.upperBound <= text.unicodeScalars.count, "\(vector)")
            #expect(!problem.message.isEmpty)
        }
    }

    @Test("an expression for a date that does not exist is an error")
    func never() throws {
        let vectors = try TriggerVector.load("cron_never")
        #expect(vectors.count == 12)
        for vector in vectors {
            let problem = #expect(throws: RuleProblem.self, "\(vector)") {
                try CronExpression.parse(vector.expr ?? "").get()
            }
            #expect(problem?.message.hasPrefix("never fires") == true)
        }
    }

    /// Whose answer was decided on for each open question, by expression or else by topic; nil: an error.
    static let decisions: [String: String?] = [
        "hash": nil, "last-weekday": nil, "last-workday": nil, "macro-case": nil, "nth-weekday": nil,
        "number-step": nil,
        "question-mark": nil, "random": nil, "seven-fields": nil, "wrap-sunday": nil, "zone-prefix": nil,
        "rare": "cronsim", "whole-day-skipped": "cronsim",
        // One value as a range is that value; everything else of the public tables is another program's syntax.
        "public-test-table": nil, "0 0 * * 0-0": "debian-cron", "0 0 * * 7-7": "debian-cron",
        "0 0 * * Sun-Sun": "debian-cron",
        "0 0 0 * * *": "cronsim", "0 0 1 1 * 2026": nil,
    ]

    @Test("every open question has the answer that was decided")
    func open() throws {
        let vectors = try TriggerVector.load("cron_open")
        #expect(vectors.count == 48)
        for vector in vectors {
            let decision = try #require(
                Self.decisions[vector.expr ?? ""] ?? Self.decisions[vector.topic ?? ""], "\(vector)")
            guard let source = decision else {
                #expect(throws: RuleProblem.self, "\(vector)") { try CronExpression.parse(vector.expr ?? "").get() }
                continue
            }
            guard case .instants(let expected) = vector.answers?[source] else {
                Issue.record("\(vector) has no answer of \(source)")
                continue
            }
            #expect(try vector.cronOccurrences(expected.count) == expected, "\(vector)")
        }
    }
}
