import Testing
import TminusCore

@testable import TminusDefinitions

/// Problems that users of other schedulers had with their files. The article on time lists all of them with their
/// tests.
@Suite("Where schedulers go wrong: the files")
struct WhereSchedulersGoWrongTests {
    @Test(
        "each mistake is an error with its line and column",
        arguments: [
            (
                "events:\n  e: { cron: '0 9 * * *', timezone: Europe/Berln }\n", 2, 37,
                "unknown time zone 'Europe/Berln'"
            ),
            (
                "events:\n  e:\n    at: 2030-01-01\n    remnd: 1 day\n", 4, 5,
                "unknown key 'remnd', did you mean 'remind'?"
            ),
            ("timers:\n  t: { duration: 4m }\n  t: { duration: 5m }\n", 3, 3, "'t'"),
            ("timers:\n\tt: { duration: 4m }\n", 2, 1, "tab"),
            ("events:\n  e: { cron: '0 0 31 2 *' }\n", 2, 19, "'cron'"),
            ("events:\n  e: { at: 2027-02-29 }\n", 2, 12, "29"),
            (
                "events:\n  e: { rrule: FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30, start: 2026-01-01 }\n", 2, 15,
                "'rrule'"
            ),
        ])
    func places(text: String, line: Int, column: Int, words: String) throws {
        var loader = DefinitionLoader.test()
        let errors = loader.load(["a.yaml": text]).diagnostics.filter { $0.severity == .error }
        let error = try #require(errors.first)
        #expect(error.location.line == line && error.location.column == column, "\(error)")
        #expect(error.message.contains(words), "\(error)")
    }

    @Test(
        "29 February of each year and the 31st of each month come when there is one, and are never moved to another day"
    )
    func rareDays() throws {
        var loader = DefinitionLoader.test()
        let result = loader.load([
            "a.yaml": """
            events:
              leap: { cron: "0 9 29 2 *", timezone: UTC }
              leap-rule: { rrule: FREQ=YEARLY, start: 2024-02-29 09:00, timezone: UTC }
              last: { cron: "0 9 31 * *", timezone: UTC }
              last-rule: { rrule: FREQ=MONTHLY, start: 2026-05-31 09:00, timezone: UTC }
            """
        ])
        #expect(result.isClean)
        func days(_ id: String) -> [String] {
            guard case .event(let event)? = result.definition(id)?.schedule else { return [] }
            var days: [String] = []
            var instant = june
            while days.count < 4, let next = event.trigger.next(after: instant) {
                days.append(String(next.rfc3339.prefix(10)))
                instant = next
            }
            return days
        }
        for id in ["leap", "leap-rule"] {
            #expect(days(id) == ["2028-02-29", "2032-02-29", "2036-02-29", "2040-02-29"])
        }
        for id in ["last", "last-rule"] {
            #expect(days(id) == ["2026-07-31", "2026-08-31", "2026-10-31", "2026-12-31"])
        }
    }
}
