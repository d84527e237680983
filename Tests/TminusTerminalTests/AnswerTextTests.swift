import TerminalTestSupport
import Testing
import TminusControl
import TminusCore
import TminusTerminal

@Suite("Answers in words")
struct AnswerTextTests {
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_780_000_000 + seconds) }

    private func item(
        _ kind: DefinitionKind, _ state: Item.State, left: Int64? = nil, passed: Int64? = nil,
        total: Int64? = nil, laps: [Item.Lap]? = nil, _ overrides: Overrides = Overrides()
    ) -> Item {
        Item(
            asOf: at(0), id: "tea", kind: kind, name: "Tea", state: state, remaining: left.map { .seconds($0) },
            elapsed: passed.map { .seconds($0) }, total: total.map { .seconds($0) }, laps: laps, overrides: overrides)
    }

    @Test("each state in one line")
    func stands() {
        #expect(AnswerText.line(item(.timer, .running, left: 180)) == "tea: running, 3 min left")
        #expect(AnswerText.line(item(.timer, .paused, left: 45)) == "tea: paused, 45 s left")
        #expect(AnswerText.line(item(.timer, .idle, total: 240)) == "tea: not started, 4 min")
        #expect(AnswerText.line(item(.timer, .acting, left: 0)) == "tea: its actions are running")
        #expect(AnswerText.line(item(.timer, .expired, left: -300)) == "tea: expired 5 min ago")
        #expect(AnswerText.line(item(.event, .upcoming, left: 7_200)) == "tea: upcoming, 2 hours left")
        #expect(AnswerText.line(item(.stopwatch, .running, passed: 65)) == "tea: running, 1:05")
        #expect(AnswerText.line(item(.stopwatch, .paused, passed: 65)) == "tea: paused, 1:05")
        #expect(AnswerText.line(item(.stopwatch, .idle)) == "tea: at zero, not started")
    }

    @Test("a lap, and mute, skip and snooze")
    func said() {
        let laps = [
            Item.Lap(number: 2, length: .milliseconds(2_500), total: .milliseconds(6_500), mark: .fastest),
            Item.Lap(number: 1, length: .seconds(4), total: .seconds(4), mark: .slowest),
        ]
        #expect(
            AnswerText.line(item(.stopwatch, .running, passed: 7, laps: laps), after: .lap)
                == "tea: lap 2, 0:02.500, 0:06.500 in total, the fastest so far")
        let origin = Overrides.Origin(by: "anna", at: at(0))
        let overrides = Overrides(
            mute: Overrides.Mute(until: at(7_200), origin: origin),
            skip: Overrides.Skip(occurrence: at(90), origin: origin),
            snooze: Overrides.Snooze(occurrence: at(90), until: at(690), origin: origin))
        #expect(
            AnswerText.line(item(.timer, .running, left: 90, overrides))
                == "tea: running, 2 min left, muted for 2 hours, the next occurrence is skipped, the expiry is sent 10 min later"
        )
    }

    @Test("an item says that its clock was set back, until the clock is at its start again")
    func clockSetBack() {
        var item = item(.timer, .running, left: 180)
        (item.elapsed, item.clockBehind) = (.zero, .seconds(1_800))
        #expect(AnswerText.line(item) == "tea: running, 3 min left, clock set back")
        #expect(item.stateWords == "running, clock set back")
        let near = item.at(item.asOf.advanced(by: .seconds(600)))
        #expect(near.elapsed == .zero && near.clockBehind == .seconds(1_200))
        let past = item.at(item.asOf.advanced(by: .seconds(1_810)))
        #expect(past.elapsed == .seconds(10) && past.clockBehind == nil && past.stateWords == "running")
    }

    @Test("stored action names become words")
    func actions() {
        let words = ["expiry", "before:P1D", "after:PT10M", "elapsed:PT30M", "before:odd"].map(AnswerText.action)
        #expect(words == ["expiry", "1 day before", "10 minutes after", "at 30 minutes", "before:odd"])
    }

    @Test("the status has local times, and lists files with problems")
    func status() throws {
        let zone = try Zone(name: "Here", posix: "HERE-1")
        let status = StatusAnswer(
            version: "1.0", processID: 7, now: "2026-12-01T23:00:00.999Z", started: "2026-12-01T08:00:00.000Z",
            config: "/config", store: "/s.sqlite", storeProblems: ["it cannot be written: no room"], damagedRows: 2,
            live: LiveAnswer(generation: 3, hash: "ab", definitions: 1, isInOrder: false),
            lastAttempt: "2026-12-01T08:30:00.000Z", lastSuccess: nil, watching: .init(.events), zoneData: "2025b",
            profile: "strict", viewers: 2, problems: [],
            files: [
                StatusAnswer.File(
                    path: "a.yaml", state: "ok", since: nil, message: nil, errors: 0, place: nil, definitions: 1,
                    diagnostics: [.init(severity: "warning", line: 7, column: 3, message: "no program 'x'")]),
                StatusAnswer.File(
                    path: "b\u{1B}[1m.yaml", state: "stale", since: "T", message: "unknown key 'x'", errors: 2,
                    place: .init(line: 3, column: 5), definitions: 0),
            ])
        #expect(
            StatusText.render(status, zone: zone) == """
                tminus        1.0, process 7, since 2026-12-01 09:00:00 +01:00
                live          generation 3, 1 definition, not everything in the directory is in force, see below
                hash          ab
                config        /config
                store         /s.sqlite
                watching      events
                zone data     2025b
                clock         2026-12-02 00:00:00 +01:00
                last read     2026-12-01 09:30:00 +01:00
                last success  -
                viewers       2
                profile       strict
                problem       it cannot be written: no room
                damaged       2 rows of the store could not be read and are kept in its table 'damaged'
                deliveries    0 waiting, 0 running, 0 retrying, 0 dead
                files         1 ok
                  stale: b\\u{1b}[1m.yaml:3:5: unknown key 'x' (and 1 more)
                  warning: a.yaml:7:3: no program 'x'

                """)
        #expect(
            StatusText.attention(status) == """
                it cannot be written: no room
                b\\u{1b}[1m.yaml:3:5: unknown key 'x' (and 1 more); its last good content stays in force

                """)
    }

    @Test("the status counts deliveries by sink and definition, and lists all problems of a file")
    func undelivered() throws {
        let id = try #require(DefinitionID("backup"))
        let count = UndeliveredCount(retrying: 1, nextAttempt: at(60), dead: 3, oldestDead: at(0))
        let last = HistoryEntry(
            occurrence: at(0), action: "expiry", due: at(0), end: .failed(reason: "HTTP status 500"), count: 1)
        func file(_ problems: Int) -> StatusAnswer.File {
            StatusAnswer.File(
                path: "\(problems).yaml", state: "failed", since: nil, message: "wrong", errors: problems,
                place: .init(line: 1, column: 2), definitions: 0,
                diagnostics: (1...problems).map { .init(severity: "error", line: $0, column: 2, message: "wrong") })
        }
        let status = StatusAnswer(
            version: "1.0", processID: 7, now: "N", started: "S", config: "/config", store: "/s.sqlite",
            storeProblems: [], live: LiveAnswer(generation: 3, hash: "ab", definitions: 1, isInOrder: false),
            lastAttempt: "A", lastSuccess: nil, watching: .init(.events), zoneData: "2025b", viewers: 2, problems: [],
            files: [file(2), file(30)],
            deliveries: StatusDeliveries(
                DeliveryStanding(sinks: [
                    SinkStanding(sink: SinkKey("chat"), waiting: 2, running: 1, undelivered: count),
                    SinkStanding(sink: SinkKey("old"), isAwaited: true, waiting: 4),
                ])),
            definitions: [StatusDefinition(id, count, lastOutcome: last)])
        let zone = try Zone(name: "Here", posix: "HERE-1")
        let lines = StatusText.render(status, zone: zone).split(separator: "\n").map(String.init)
        let (next, oldest) = (HistoryText.local(at(60).rfc3339, zone), HistoryText.local(at(0).rfc3339, zone))
        let undelivered = "1 retrying, next attempt \(next), 3 dead, oldest \(oldest)"
        #expect(lines.contains("deliveries    6 waiting, 1 running, \(undelivered)"))
        #expect(
            lines.suffix(3) == [
                "  sink chat: 2 waiting, 1 running, \(undelivered)", "  sink old: no file declares it, 4 waiting",
                "  backup: \(undelivered), last outcome failed, because HTTP status 500",
            ])
        #expect(
            lines.filter { $0.hasPrefix("  failed: 2.yaml:") } == [
                "  failed: 2.yaml:1:2: wrong", "  failed: 2.yaml:2:2: wrong",
            ])
        #expect(lines.contains("  failed: 30.yaml: and 10 more; see 'tminus check'"))
    }

    @Test("a control says who applied it and why, in the history and in why, but not for other occurrences")
    func controls() {
        func control(_ seconds: Int64, _ note: String?) -> HistoryAnswer {
            HistoryAnswer(
                ControlRecord(definition: DefinitionID("tea"), control: "pause", by: "ada", at: at(seconds), note: note)
            )
        }
        let entries = [100, 0].map { seconds in
            HistoryAnswer(
                HistoryEntry(
                    occurrence: at(seconds), action: "expiry", due: at(seconds), end: .delivered(at(seconds)), count: 1)
            )
        }
        let controls = [control(150, nil), control(50, "lunch\u{1B}"), control(-50, "tea")]
        let merged = HistoryAnswer.merged(
            entries,
            [150, 50, -50].map { seconds in
                ControlRecord(definition: DefinitionID("tea"), control: "pause", by: "ada", at: at(seconds))
            })
        #expect(merged.map(\.isControl) == [true, false, true, false, true])
        #expect(
            HistoryText.render([controls[1]], zone: .utc)
                == "2026-05-28 20:27:30 +00:00  pause by ada: lunch\\u{1b}\n")
        #expect(
            HistoryText.render([controls[0]], zones: [:], otherwise: .utc)
                == "2026-05-28 20:29:10 +00:00  tea pause by ada\n")
        #expect(HistoryText.controls(controls, of: [entries[0]], among: entries) == Array(controls.prefix(2)))
        #expect(HistoryText.controls(controls, of: [entries[1]], among: entries) == [controls[2]])
        #expect(HistoryText.controls(controls, of: [], among: entries) == controls)
    }

    private func delivery(_ state: DeliveryState, _ log: [AttemptRecord] = []) -> DeliveryAnswer {
        DeliveryAnswer(
            DeliveryRecord(
                id: DeliveryID("0123456789abcdef0123456789abcdef")!, definition: DefinitionID("tea")!,
                occurrence: at(0), action: "expiry", sink: SinkKey("hook"), due: at(0), created: at(0), state: state,
                attempts: 1,
                nextAttempt: state == .dead ? nil : at(0), settled: nil, reason: log.last?.reason, log: log))
    }

    @Test("a claimed delivery is running and shows no next attempt")
    func runningDelivery() {
        #expect(
            DeliveryText.render([delivery(.claimed)], isDetailed: true, zones: [:], otherwise: .utc)
                == "2026-05-28 20:26:40 +00:00  tea expiry to hook: running  0123456789abcdef0123456789abcdef\n")
        #expect(
            DeliveryText.render([delivery(.pending)], isDetailed: false, zones: [:], otherwise: .utc)
                .hasSuffix("pending, next attempt 2026-05-28 20:26:40 +00:00  01234567\n"))
    }

    @Test("a queued delivery shows the one before it, and no time")
    func queued() {
        func other(_ id: String, _ state: DeliveryState, _ change: (inout DeliveryAnswer) -> Void = { _ in })
            -> DeliveryAnswer
        {
            var answer = delivery(state)
            answer.id = id
            change(&answer)
            return answer
        }
        let list = [
            other("a0000001", .queued), other("b0000002", .queued), other("c0000003", .pending) { $0.sink = "mail" },
            other("d0000004", .pending) { $0.definition = "egg" },
            other("e0000005", .pending) { $0.action = "test:expiry" },
            other("f0000006", .delivered), other("a0000007", .pending), other("b0000008", .queued),
        ]
        let lines = DeliveryText.render(list, isDetailed: false, zones: [:], otherwise: .utc).split(separator: "\n")
        #expect(lines[0].hasSuffix(": queued, waits for b0000002  a0000001"))
        #expect(lines[1].hasSuffix(": queued, waits for a0000007  b0000002"))
        #expect(lines[7].hasSuffix(": queued, waits for another delivery  b0000008"))
    }

    @Test("an exit status that is also the reason is shown once")
    func reasonOnce() {
        func lines(_ reason: String?) -> [Substring] {
            let attempt = AttemptRecord(
                number: 1, started: at(0), ended: at(1), outcome: .dead, reason: reason,
                report: DeliveryReport(exitStatus: 1))
            return DeliveryText.render([delivery(.dead, [attempt])], isDetailed: true, zones: [:], otherwise: .utc)
                .split(separator: "\n")
        }
        #expect(lines("exit status 1").last?.hasSuffix(": dead, because exit status 1") == true)
        #expect(lines("it took too long").last?.hasSuffix(": dead, exit status 1, because it took too long") == true)
        #expect(lines(nil).last?.hasSuffix(": dead, exit status 1") == true)
    }

    @Test("truncated output is marked at the cut, in text and in JSON")
    func cut() throws {
        let attempt = AttemptRecord(
            number: 1, started: at(0), ended: at(1), outcome: .dead, reason: nil,
            report: DeliveryReport(
                output: .init(tail: Array("last\n".utf8), isComplete: false), errors: .init(tail: Array("all".utf8)),
                body: .init(head: Array("first".utf8), isComplete: false)))
        let delivery = delivery(.dead, [attempt])
        let lines = DeliveryText.render([delivery], isDetailed: true, zones: [:], otherwise: .utc).split(
            separator: "\n")
        #expect(
            lines.suffix(5) == [
                "    output: ... (cut)", "    output: last", "    errors: all", "    answer: first",
                "    answer: ... (cut)",
            ])
        let json = String(decoding: try ControlJSON.encode(delivery), as: UTF8.self)
        #expect(json.contains(#""output-cut":"start""#) && json.contains(#""body-cut":"end""#), "\(json)")
        #expect(!json.contains("errors-cut"), "\(json)")
    }

    @Test("a delivery to a sink that no file declares waits for it")
    func waitsForSink() {
        var delivery = delivery(.pending)
        delivery.waitsForSink = true
        let text = DeliveryText.render([delivery], isDetailed: false, zones: [:], otherwise: .utc)
        #expect(text.contains(": waiting for sink"))
        #expect(!text.contains("next attempt"))
    }

    @Test("a test says the outcome at each sink")
    func fired() {
        func delivery(_ sink: String, _ outcome: Outcome?) -> FireAnswer.Delivery {
            FireAnswer.Delivery(id: "0123456789", sink: sink, event: "{}", outcome: outcome)
        }
        let answer = FireAnswer(
            isSent: true,
            deliveries: [
                delivery("stdout", .delivered), delivery("hook", .retry(at: at(0), reason: "exit status 75")),
                delivery("mail", .dead(reason: "exit status 1")), delivery("slow", nil),
            ])
        #expect(
            FireText.outcomes(answer, of: "tea", waited: .milliseconds(15_400), zone: .utc) == """
                stdout: delivered
                hook: failed, will be retried at 2026-05-28 20:26:40 +00:00: exit status 75
                mail: dead: exit status 1
                slow: no outcome after 15 s; see 'tminus deliveries --id tea'

                """)
        #expect(FireText.written(FireAnswer(isSent: true, deliveries: [delivery("a", nil)])) == "a: sent as 01234567\n")
        var body = delivery("chat", nil)
        body.body = "{\n\"text\": \"Tea\" }"
        body.headers = [.init("Content-Type", "application/json"), .init("X-Key", "(secret)")]
        let dry = FireAnswer(isSent: false, deliveries: [delivery("a", nil), body])
        #expect(
            FireText.written(dry) == """
                a: {}
                chat: { "text": "Tea" }
                    Content-Type: application/json
                    X-Key: (secret)

                """)
    }

    @Test("an occurrence without an action was skipped")
    func noAction() {
        let entry = HistoryEntry(occurrence: at(0), action: FiringAction.expiry.rawValue, due: at(0), deliveries: [])
        let answer = HistoryAnswer(entry)
        #expect(
            answer.end == "skipped" && answer.at == nil && answer.reason == "no-action"
                && answer.message == "it has no action")
        #expect(
            HistoryText.render([answer], zone: .utc)
                == "2026-05-28 20:26:40 +00:00  expiry: skipped, because it has no action\n")
    }

    @Test("times are local to each definition's zone, with the offset")
    func zones() throws {
        let known: any ZoneDatabase = Fixtures.zones
        let zone = try #require(known.zone(named: "Europe/Berlin"))
        #expect(
            DeliveryText.render([delivery(.delivered)], isDetailed: false, zones: ["tea": zone], otherwise: .utc)
                .hasPrefix("2026-05-28 22:26:40 +02:00  tea "))
    }

    @Test("the history, and the explanation of an occurrence")
    func history() {
        func entry(_ seconds: Int64, _ action: FiringAction, _ end: HistoryEntry.End, count: Int = 1) -> HistoryAnswer {
            HistoryAnswer(
                HistoryEntry(occurrence: at(seconds), action: action.rawValue, due: at(seconds), end: end, count: count)
            )
        }
        let entries = [
            entry(60, .expiry, .delivered(at(61))), entry(0, .expiry, .failed(reason: "HTTP status 500")),
            entry(-60, .expiry, .missed(.tooLate), count: 3),
        ]
        #expect(
            HistoryText.render(entries, zone: .utc) == """
                2026-05-28 20:27:40 +00:00  expiry: delivered at 2026-05-28 20:27:41 +00:00
                2026-05-28 20:26:40 +00:00  expiry: failed, because HTTP status 500
                2026-05-28 20:25:40 +00:00  expiry: missed, because it was too late to be useful, 3 times

                """)
        #expect(HistoryText.render([], zone: .utc) == "Nothing has come due yet.\n")
        #expect(HistoryText.entries(entries, of: nil) == [entries[0]])
        #expect(HistoryText.entries(entries, of: nil, now: at(30)) == [entries[1]])
        #expect(HistoryText.entries(entries, of: nil, now: at(-90)) == [entries[0]])
        #expect(HistoryText.entries(entries, of: at(-60)...at(0)) == Array(entries[1...]))
        #expect(
            HistoryText.explain([WhyAnswer(entries[0], among: [])], zone: .utc)
                .hasPrefix("2026-05-28 20:27:40 +00:00  expiry: delivered"))
    }

    @Test("the JSON of why has the entry's members and its own deliveries with their attempts")
    func whyJSON() throws {
        let entry = HistoryAnswer(
            HistoryEntry(occurrence: at(0), action: "expiry", due: at(0), end: .failed(reason: "no"), count: 1))
        let attempt = AttemptRecord(
            number: 1, started: at(0), ended: at(1), outcome: .dead, reason: "no", report: DeliveryReport())
        var other = delivery(.delivered)
        other.action = "before:P1D"
        let answer = WhyAnswer(entry, among: [other, delivery(.dead, [attempt])])
        let text = String(decoding: try ControlJSON.encode([answer]), as: UTF8.self)
        #expect(text.hasPrefix(#"[{"action":"expiry","count":1,"deliveries":[{"action":"expiry","attempts":1,"#))
        #expect(
            text.contains(
                #""log":[{"ended":"2026-05-28T20:26:41.000Z","message":"no","number":1,"outcome":"dead","#
                    + #""reason":"sink-failed","#))
        #expect(!text.contains("P1D"))
    }

    @Test("why accepts the times that history prints; without an offset they are in the definition's zone")
    func askedTimes() throws {
        let known: any ZoneDatabase = Fixtures.zones
        let zone = try #require(known.zone(named: "Europe/Berlin"))
        func words(_ text: String) throws -> String { try AskedTime.parse(text).get().words(in: zone) }
        #expect(try words("2026-05-28 22:26:40 +02:00") == "2026-05-28 22:26:40 +02:00")
        #expect(try words("2026-05-28 22:26:40") == "2026-05-28 22:26:40 +02:00")
        #expect(try words("2026-05-28T20:26:40Z") == "2026-05-28 22:26:40 +02:00")
        #expect(try words("2026-05-28 22:26") == "2026-05-28 22:26:00 +02:00 to 2026-05-28 22:26:59 +02:00")
        #expect(try words("2026-05-28") == "2026-05-28 00:00:00 +02:00 to 2026-05-28 23:59:59 +02:00")
        // Everything due within the second is shown as that second.
        let second = try AskedTime.parse("2026-05-28 22:26:40 +02:00").get().span(in: zone)
        #expect(second == at(0)...at(0).advanced(by: .nanoseconds(999_999_999)))
        let exact = try AskedTime.parse("2026-05-28T22:26:40.500+02:00").get().span(in: zone)
        #expect(exact == at(0).advanced(by: .milliseconds(500))...at(0).advanced(by: .milliseconds(500)))
        #expect(throws: SpanProblem.self) { try AskedTime.parse("garbage").get() }
        // Wednesday 30 December 2026, 12:00 UTC.
        let now = Timestamp(seconds: 1_798_632_000)
        func plain(_ text: String) throws -> String {
            try AskedTime.parse(text, now: now, zone: .utc).get().words(in: .utc)
        }
        #expect(try plain("yesterday") == "2026-12-29 00:00:00 +00:00 to 2026-12-29 23:59:59 +00:00")
        #expect(try plain("yesterday 9:00") == "2026-12-29 09:00:00 +00:00 to 2026-12-29 09:00:59 +00:00")
        #expect(try plain("fri 9:00:30") == "2026-12-25 09:00:30 +00:00")
        #expect(try plain("2026-12-24") == "2026-12-24 00:00:00 +00:00 to 2026-12-24 23:59:59 +00:00")
        #expect(throws: SpanProblem.self) { try AskedTime.parse("garbage", now: now, zone: .utc).get() }
        #expect(try AskedTime.parse("2026-12-24 09:00", now: now, zone: .utc).get().isLocal)
        #expect(try AskedTime.parse("yesterday", now: now, zone: .utc).get().isLocal)
        #expect(try !AskedTime.parse("2026-12-24 09:00:00 +01:00", now: now, zone: .utc).get().isLocal)
    }

    @Test("a day that a zone leaves out is the instant at which it would be")
    func skippedDay() throws {
        let apia = try Zone(name: "Apia", posix: "<-10>10<+14>-14,J364/0,J365/12")
        let span = try AskedTime.parse("2026-12-30").get().span(in: apia)
        #expect(span.lowerBound == span.upperBound)
    }
}
