import Foundation
import Testing
import TminusCore

@testable import TminusDefinitions

/// The output of `tminus next`, without its process.
@Suite("upcoming occurrences")
struct NextTests {
    static let config = """
        defaults: { timezone: Europe/Berlin }
        events:
          launch: { name: Product launch, at: 2026-12-01 09:00, remind: [1 week, 1 day, { after: 10m }] }
          stand-up: { cron: "30 9 * * MON-FRI", remind: 5 minutes, enabled: false }
          backup: { cron: "30 2 * * *", dst: skip, until: 2027-03-31 }
          payday: { rrule: FREQ=MONTHLY;BYMONTHDAY=-1, start: 2026-01-31 12:00, until: 2026-12-31 }
          rent: { every: 1 month, start: 2026-11-30, except: 2026-12-30, jitter: 1h }
          over: { at: 2026-06-02 }
          invoice: { at: 2026-10-01, remind: [1 day, { after: 100 days }] }
        timers:
          tea: { duration: 4m, remind: 1m }
          focus: { duration: 25m, repeat: immediately, count: 3 }
          poll: { duration: 60s, repeat: after-action }
          later: { duration: 1h, start: manual }
        stopwatches:
          walk: { at-elapsed: [30m, 1h, 2h] }
          lap: { start: auto }
        """

    private static func previews(from text: String, limit: Int) throws -> [SchedulePreview] {
        var loader = DefinitionLoader.test()
        let result = loader.load(["a.yaml": config])
        try #require(result.isClean, "\(result.messages)")
        guard case .instant(let from) = try DateTimeText.parse(text).get() else { return [] }
        return result.set.definitions.values.sorted { $0.origin < $1.origin }
            .map { SchedulePreview($0, after: from, limit: limit) }
    }

    @Test("definitions have the recorded text and JSON")
    func definitions() throws {
        let previews = try Self.previews(from: "2026-11-24T10:00:00Z", limit: 2)
        try Golden.compare(PreviewText.render(previews), with: "next.txt")
        let json = PreviewJSON.render(previews)
        let list = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        #expect(list.map { $0["id"] as? String } == previews.map { $0.definition?.id.rawValue })
        try Golden.compare(json, with: "next.json")
    }

    @Test("clock changes are reported, even for dropped times and at the end of a rule")
    func clockChange() throws {
        let previews = try Self.previews(from: "2027-03-26T12:00:00Z", limit: 9).filter {
            $0.definition?.id.rawValue == "backup"
        }
        try Golden.compare(PreviewText.render(previews) + PreviewJSON.render(previews), with: "next-clock.txt")
    }

    static let rules: [[(name: String, value: String)]] = [
        [("cron", "30 2 * * *"), ("tz", "Europe/Berlin"), ("from", "2027-03-27"), ("before", "1 day")],
        [("at", "2027-03-28 02:30"), ("at", "2026-10-25 02:30"), ("tz", "Europe/Berlin"), ("before", "1h 30m")],
        [("at", "2027-03-28 02:30"), ("at", "2027-03-29 02:30"), ("tz", "Europe/Berlin"), ("dst", "skip")],
        [("at", "2027-03-28 02:30"), ("tz", "Europe/Berlin"), ("dst", "skip")],
        [("rrule", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"), ("start", "2024-02-29 12:00")],
        [("rrule", "FREQ=DAILY;BYDAY=MO"), ("start", "2026-06-02 09:00"), ("count", "2")],
        [("every", "2 weeks"), ("start", "2026-12-01"), ("except", "2026-12-15"), ("except", "2026-12-29")],
        [("every", "90m"), ("tz", "Europe/Berlin")],
        [("cron", "61 2 * * *"), ("tz", "Europe/Berln"), ("before", "1 dya"), ("dst", "skp"), ("count", "x")],
        [("rrule", "FREQ=DAYLY"), ("start", "tomorrow")],
        [("rrule", "FREQ=DAILY")],
        [("cron", "0 9\n* * *")],
        [("cron", "0 0 31 2 *"), ("from", "now")],
    ]

    @Test("rules of the command line have the recorded text, their errors a caret")
    func options() throws {
        let text = Self.rules.map { options in
            let (question, diagnostics) = QuestionOptions.read(options, zones: TestZones.shared, now: june)
            var text = "$" + options.map { " --\($0.name) '\($0.value)'" }.joined() + "\n"
            text += DiagnosticText.render(diagnostics)
            if let question, case .trigger(let trigger) = question.subject {
                text += PreviewText.render([
                    SchedulePreview(
                        trigger, leads: question.leads, in: question.zone, after: question.start(now: june), limit: 3,
                        now: question.from ?? june)
                ])
            }
            return text
        }.joined(separator: "\n")
        try Golden.compare(text, with: "next-rules.txt")
    }

    @Test(
        "distances are written in words",
        arguments: [(0, "now"), (45, "in 45 s"), (-3_600, "60 min ago"), (259_200, "in 3 days")])
    func distance(seconds: Int64, words: String) {
        #expect(
            PreviewText.distance(to: Timestamp(seconds: 1_000_000 + seconds), from: Timestamp(seconds: 1_000_000))
                == words)
    }
}
