import Testing

@testable import TminusCore

@Suite("Overrides of upcoming occurrences")
struct OverrideTests {
    private static let daily = Definition.event(
        at: [at(1_000), at(2_000), at(3_000)], remind: [.seconds(100)])

    @Test("skip affects exactly one occurrence, survives reloads and restarts, and records the user")
    func skip() throws {
        var scenario = Scenario(Self.daily)
        try scenario.control(.skip, "e", note: "holiday", now: at(100))
        let once = try scenario.control(.skip, "e", by: "eve", now: at(200))
        #expect(once.overrides.skip?.origin.by == "ada")
        scenario.load([Self.daily.with { $0.name = "E" }], now: at(300))
        scenario.restart(now: at(400))
        for now in [900.0, 1_000, 1_900, 2_000, 2_900, 3_000] { scenario.step(now: at(now)) }
        #expect(
            scenario.firings.map(\.short) == [
                "e reminder 1900", "e expiry 2000", "e reminder 2900", "e expiry 3000",
            ])
        #expect(scenario.omissions.map(\.reason) == [.skipped, .skipped])
        #expect(Set(scenario.omissions.map(\.occurrence)) == [at(1_000)])
        #expect(scenario.omissions.map(\.note) == ["ada: holiday", "ada: holiday"])
        #expect(
            HistoryEntry(scenario.omissions[0]).end == .skipped(reason: "it was skipped (ada: holiday)"))
        #expect(scenario.state.all.map(\.state.overrides) == [Overrides()])
    }

    @Test("a skipped occurrence sends nothing, including reminders after it")
    func skipAfter() throws {
        let event = Self.daily.with {
            $0.reminders = [Reminder(CalendarSpan(nanoseconds: 600_000_000_000), side: .after, actions: $0.onExpiry)]
        }
        var scenario = Scenario(event)
        try scenario.control(.skip, "e", now: at(100))
        for now in [1_000.0, 1_600, 2_000, 2_600] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["e expiry 2000", "e reminder 2600"])
    }

    @Test("the skip of a timer's cycle moves with its deadline, and the next cycle starts normally")
    func skipTimer() throws {
        var scenario = Scenario(.timer(.seconds(60), .immediately))
        try scenario.control(.skip, now: at(10))
        try scenario.control(.start(adding: .seconds(5)), now: at(20))
        try scenario.control(.pause, now: at(30))
        scenario.step(now: at(80))
        try scenario.control(.resume, now: at(130))
        for now in [165.0, 225] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["t expiry 225"])
        var acting = Scenario(.timer(.seconds(60), .afterAction))
        try acting.control(.skip, now: at(10))
        for now in [60.0, 120] { acting.step(now: at(now)) }
        #expect(acting.firings.map(\.short) == ["t expiry 120"])
    }

    @Test("mute records everything due until its end, survives a reload, and ends by itself")
    func mute() throws {
        var scenario = Scenario(Self.daily)
        try scenario.control(.mute(until: at(2_500)), "e", note: "freeze", now: at(50))
        scenario.load([Self.daily.with { $0.labels = ["a": "b"] }], now: at(950))
        scenario.step(now: at(1_000))
        // The scheduler is down until after the end of the mute.
        scenario.restart(now: at(2_900))
        #expect(scenario.firings.map(\.short) == ["e reminder 2900"])
        #expect(scenario.omissions.map(\.reason) == Array(repeating: .muted, count: scenario.omissions.count))
        #expect(scenario.omissions.map(\.count).reduce(0, +) == 4)
        #expect(scenario.omissions.allSatisfy { $0.note == "ada: freeze" })
        #expect(scenario.step(now: at(3_000)).map(\.short) == ["e expiry 3000"])
        #expect(scenario.state.all.map(\.state.overrides) == [Overrides()])
    }

    @Test("a mute of all definitions covers those added later, and survives a restart")
    func muteOfAll() throws {
        var scenario = Scenario(.timer(.seconds(60), id: "a"))
        #expect(try scenario.controlAll(.mute(until: at(500)), note: "freeze", now: at(1)) == ["a"])
        scenario.load([.timer(.seconds(60), id: "a"), .timer(.seconds(60), id: "b")], now: at(10))
        scenario.restart(
            now: at(20),
            with: [.timer(.seconds(60), id: "a"), .timer(.seconds(60), id: "b"), .timer(.seconds(60), id: "c")])
        for now in [60.0, 70, 80] { scenario.step(now: at(now)) }
        #expect(scenario.firings.isEmpty)
        #expect(scenario.omissions.map(\.definition.rawValue) == ["a", "b", "c"])
        #expect(scenario.omissions.allSatisfy { $0.reason == .muted && $0.note == "ada: freeze" })
        // A definition added after its end is not muted.
        scenario.load([.timer(.seconds(60), id: "d")], now: at(500))
        #expect(scenario.step(now: at(560)).map(\.short) == ["d expiry 560"])
    }

    @Test("unmute of all definitions covers current, removed and added ones")
    func unmuteOfAll() throws {
        let all = ["a", "b"].map { Definition.timer(.seconds(60), id: $0) }
        var scenario = Scenario(all[0], all[1])
        try scenario.controlAll(.mute(until: at(5_000)), now: at(1))
        scenario.load([all[0]], now: at(2))
        #expect(try scenario.controlAll(.unmute, now: at(3)) == ["a"])
        scenario.load(all + [.timer(.seconds(60), id: "c")], now: at(4))
        for now in [60.0, 64] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["a expiry 60", "b expiry 60", "c expiry 64"])
        #expect(scenario.storedMute == nil)
    }

    @Test("a mute of all definitions keeps a longer mute of a single one, and a single unmute is an exception")
    func muteOfAllAndOwn() throws {
        var scenario = Scenario(.timer(.seconds(60), id: "a"), .timer(.seconds(60), id: "b"))
        try scenario.control(.mute(until: at(9_000)), "a", note: "own", now: at(0))
        try scenario.controlAll(.mute(until: at(1_000)), now: at(1))
        // A second mute with a shorter time.
        try scenario.controlAll(.mute(until: at(500)), now: at(2))
        let mutes = scenario.state.all.sorted { $0.definition.id < $1.definition.id }.map(\.state.overrides.mute?.until)
        #expect(mutes == [at(9_000), at(500)])
        try scenario.control(.unmute, "b", now: at(3))
        scenario.restart(now: at(10))
        #expect(scenario.step(now: at(60)).map(\.short) == ["b expiry 60"])
        do throws(ControlRefusal) {
            try scenario.controlAll(.mute(until: at(60)), now: at(60))
            Issue.record("taken")
        } catch {
            #expect(error == .unfit(reason: "\(at(60).rfc3339) is past", fitting: []))
        }
    }

    @Test("the end of a mute is a separate step, so that it disappears from views at once")
    func muteEnds() throws {
        var scenario = Scenario(.event(at: [at(10_000)]))
        try scenario.control(.mute(until: at(60)), "e", now: at(0))
        #expect(scenario.state.nextDue == at(60))
        scenario.step(now: at(60))
        #expect(scenario.stored.values.map(\.overrides) == [Overrides()])
        #expect(scenario.state.nextDue == at(10_000))
        #expect(scenario.refusal(.mute(until: at(60)), "e", now: at(61)) != nil)
    }

    @Test("cycles of a timer that were missed in a downtime count as muted while it was muted")
    func muteLongDowntime() throws {
        var scenario = Scenario(.timer(.seconds(5), .immediately).with { $0.onFailure = [Definition.sink] })
        try scenario.control(.mute(until: at(50_002)), now: at(1))
        scenario.restart(now: at(100_002))
        let muted = scenario.omissions.filter { $0.reason == .muted }
        #expect(muted.map(\.count).reduce(0, +) == 10_000)
        #expect(scenario.omissions.filter { $0.reason != .muted }.map(\.count).reduce(0, +) == 9_999)
    }

    @Test("unmute of all definitions leaves the skip and the snooze of one")
    func unmuteOfAllKeeps() throws {
        var scenario = Scenario(.event(at: [at(100), at(200)]), .timer(.seconds(100)))
        try scenario.control(.skip, "e", now: at(1))
        try scenario.control(.snooze(for: .seconds(50)), "t", now: at(1))
        try scenario.controlAll(.mute(until: at(1_000)), now: at(2))
        #expect(try scenario.controlAll(.unmute, now: at(3)) == ["e", "t"])
        for second in [100.0, 150, 200] { scenario.step(now: at(second)) }
        #expect(scenario.firings.map(\.short) == ["t expiry 150", "e expiry 200"])
    }

    @Test("unmute ends all overrides")
    func unmute() throws {
        var scenario = Scenario(Self.daily)
        try scenario.control(.mute(until: at(5_000)), "e", now: at(0))
        try scenario.control(.skip, "e", now: at(1))
        try scenario.control(.unmute, "e", now: at(2))
        scenario.step(now: at(900))
        #expect(scenario.firings.map(\.short) == ["e reminder 900"])
    }

    @Test("snooze delays the next expiry, but not the occurrence and its reminders")
    func snooze() throws {
        var scenario = Scenario(Self.daily)
        try scenario.control(.snooze(for: .seconds(540)), "e", note: "in the bath", now: at(100))
        scenario.restart(now: at(200))
        for now in [900.0, 1_000, 1_540, 1_900, 2_000] { scenario.step(now: at(now)) }
        #expect(
            scenario.firings.map(\.short) == [
                "e reminder 900", "e expiry 1540", "e reminder 1900", "e expiry 2000",
            ])
        #expect(scenario.firings.map(\.occurrence) == [at(1_000), at(1_000), at(2_000), at(2_000)])
        #expect(scenario.firings[1].payload.message == "e was due 9 min ago")
        #expect(scenario.firings[1].payload.due == at(1_000).rfc3339(in: .utc))
        #expect(scenario.omissions.map(\.reason) == [.snoozed])
        #expect(scenario.omissions.map(\.note) == ["ada: in the bath"])
    }

    @Test("of an occurrence that was snoozed past the next one, and that one, catching up sends what came due last")
    func snoozedPastTheNext() throws {
        var scenario = Scenario(.event(at: [at(1_000), at(2_000), at(90_000)]))
        try scenario.control(.snooze(for: .seconds(1_500)), "e", now: at(500))
        scenario.restart(now: at(10_000))
        #expect(scenario.firings.map(\.short) == ["e expiry 2500 late"])
        #expect(scenario.firings.map(\.occurrence) == [at(1_000)])
        #expect(scenario.omissions.filter { $0.reason == .superseded }.map(\.occurrence) == [at(2_000)])
    }

    @Test("right after an expiry, snooze sends it again as another delivery")
    func snoozeAgain() throws {
        var scenario = Scenario(.event(at: [at(1_000)]))
        scenario.step(now: at(1_000))
        try scenario.control(.snooze(for: .seconds(540)), "e", now: at(1_060))
        for now in [1_599.0, 1_600] { scenario.step(now: at(now)) }
        try scenario.control(.snooze(for: .seconds(60)), "e", now: at(1_600))
        scenario.step(now: at(1_660))
        #expect(scenario.firings.map(\.short) == ["e expiry 1000", "e expiry 1600", "e expiry 1660"])
        #expect(Set(scenario.firings.map(\.occurrence)) == [at(1_000)])
        #expect(Set(scenario.firings.map(\.action.rawValue)).count == 3)
        #expect(scenario.refusal(.snooze(for: .seconds(60)), "e", now: at(5_000)) != nil)
    }

    @Test("snooze applies to the last expiry or to the next, whichever is nearer")
    func nearer() throws {
        var scenario = Scenario(.timer(.seconds(60), .immediately))
        scenario.step(now: at(60))
        let last = try scenario.control(.snooze(for: .seconds(9)), now: at(70)).overrides.snooze
        #expect(last?.occurrence == at(60))
        #expect(last?.until == at(79))
        let next = try scenario.control(.snooze(for: .seconds(9)), now: at(110)).overrides.snooze
        #expect(next?.occurrence == at(120))
        #expect(next?.until == at(129))
    }

    @Test("a waiting snoozed expiry is sent when the snooze is revoked")
    func unmuteSnooze() throws {
        var scenario = Scenario(.event(at: [at(1_000)]))
        try scenario.control(.snooze(for: .seconds(540)), "e", now: at(100))
        scenario.step(now: at(1_000))
        try scenario.control(.unmute, "e", now: at(1_100))
        #expect(scenario.firings.map(\.short) == ["e expiry 1100"])
        scenario = Scenario(.event(at: [at(1_000)]))
        try scenario.control(.snooze(for: .seconds(540)), "e", now: at(100))
        try scenario.control(.unmute, "e", now: at(200))
        #expect(scenario.step(now: at(1_000)).map(\.short) == ["e expiry 1000"])
    }

    @Test("a snooze of a timer moves with the timer's clock and survives an edit that restarts the timer")
    func snoozeTimer() throws {
        var scenario = Scenario(.timer(.seconds(10)))
        scenario.step(now: at(10))
        try scenario.control(.snooze(for: .seconds(100)), now: at(20))
        scenario.step(.clockStepped(by: .seconds(1_000)), now: at(1_030))
        #expect(scenario.state.nextDue == at(1_120))
        scenario.load([.timer(.seconds(500))], now: at(1_040))
        for now in [1_120.0, 1_540] { scenario.step(now: at(now)) }
        #expect(scenario.firings.map(\.short) == ["t expiry 10", "t expiry 1120", "t expiry 1540"])
    }

    @Test("a snooze that ends in a downtime is sent late, once")
    func snoozeCatchUp() throws {
        var scenario = Scenario(.event(at: [at(1_000)]))
        try scenario.control(.snooze(for: .seconds(60)), "e", now: at(100))
        scenario.restart(now: at(2_000))
        scenario.restart(now: at(3_000))
        #expect(scenario.firings.map(\.short) == ["e expiry 1060 late"])
        #expect(scenario.omissions.map(\.reason) == [.snoozed])
    }

    @Test(
        "skip and snooze move to the next occurrence of an edited schedule, and survive restarts",
        arguments: [false, true])
    func edited(isRestarted: Bool) throws {
        var skipped = Scenario(Self.daily)
        var snoozed = Scenario(Self.daily)
        try skipped.control(.skip, "e", now: at(100))
        try snoozed.control(.snooze(for: .seconds(540)), "e", now: at(100))
        let edited = Definition.event(at: [at(1_200), at(2_000)], remind: [.seconds(100)])
        for now in [200.0, 300] {
            if isRestarted {
                skipped.restart(now: at(now), with: [edited])
                snoozed.restart(now: at(now), with: [edited])
            } else {
                skipped.load([edited], now: at(now))
                snoozed.load([edited], now: at(now))
            }
        }
        for now in [900.0, 1_000, 1_100, 1_200, 1_540, 1_740, 1_900, 2_000] {
            skipped.step(now: at(now))
            snoozed.step(now: at(now))
        }
        #expect(skipped.firings.map(\.short) == ["e reminder 1900", "e expiry 2000"])
        #expect(Set(skipped.omissions.filter { $0.reason == .skipped }.map(\.occurrence)) == [at(1_200)])
        #expect(
            snoozed.firings.map(\.short) == [
                "e reminder 1100", "e expiry 1740", "e reminder 1900", "e expiry 2000",
            ])
        #expect(snoozed.omissions.map(\.reason).filter { $0 != .editedAway } == [.snoozed])
        #expect(skipped.stored.values.map(\.overrides) == [Overrides()])
    }

    @Test("an edited cron expression keeps a skip; without a next occurrence the skip ends, and a mute stays")
    func editedRule() throws {
        func event(_ text: String) throws -> Definition {
            let trigger = try CronTrigger(try CronExpression.parse(text).get(), in: .utc)
            return Definition.event(at: []).with { $0.schedule = .event(Event(trigger: .cron(trigger))) }
        }
        var scenario = Scenario(try event("0 9 * * *"))
        try scenario.control(.skip, "e", now: at(1))
        let edited = try event("30 10 * * *")
        scenario.load([edited], now: at(2))
        let next = try #require(scenario.state.nextDue)
        #expect(scenario.stored.values.map(\.overrides.skip?.occurrence) == [next])
        #expect(scenario.step(now: next).isEmpty)
        #expect(scenario.omissions.map(\.reason) == [.editedAway, .skipped])
        try scenario.control(.mute(until: next.advanced(by: .seconds(900))), "e", now: next)
        try scenario.control(.skip, "e", now: next)
        scenario.load([.event(at: [at(0)])], now: next.advanced(by: .seconds(1)))
        let last = scenario.stored.values.map(\.overrides)
        #expect(last.map(\.skip) == [nil])
        #expect(last.first?.mute != nil)
    }

    @Test("a snoozed expiry that was due is sent at its instant, even if the schedule changes")
    func editedAfterwards() throws {
        var scenario = Scenario(Self.daily)
        try scenario.control(.snooze(for: .seconds(540)), "e", now: at(100))
        for now in [900.0, 1_000] { scenario.step(now: at(now)) }
        scenario.load([.event(at: [at(5_000)])], now: at(1_100))
        #expect(scenario.step(now: at(1_540)).map(\.short) == ["e expiry 1540"])
    }

    @Test("the default snooze is nine minutes")
    func standard() {
        #expect(Control.standardSnooze == .seconds(9 * 60))
    }
}
