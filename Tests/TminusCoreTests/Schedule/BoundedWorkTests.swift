import Testing

@testable import TminusCore

@Suite("Bounded work of one turn")
struct BoundedWorkTests {
    private static let limit = ScheduleMachine.visitLimit
    private static let start = "2026-03-20"

    private static func event(
        _ id: String, _ trigger: Trigger, remind: [CalendarSpan] = [], _ zone: Zone = .utc
    ) -> Definition {
        Definition.event(id: id, at: []).with {
            $0.schedule = .event(Event(trigger: trigger))
            $0.zone = zone
            $0.reminders = remind.map { Reminder($0, actions: [Definition.sink]) }
        }
    }

    private static func set(_ definitions: [Definition]) -> DefinitionSet {
        DefinitionSet(definitions: Dictionary(uniqueKeysWithValues: definitions.map { ($0.id, $0) }))
    }

    /// Steps until nothing more is due; the visits of each step, and everything that the steps wrote. It lets other tests run in
    /// between: servers of theirs have to answer on the same two threads.
    private static func run(
        _ state: inout ScheduleMachine, _ input: ScheduleInput, now: Timestamp
    ) async -> (visits: [Int], commit: Commit) {
        var (visits, commit, input) = ([Int](), Commit(), input)
        while true {
            let effects = state.step(input, now: now)
            visits.append(effects.visits)
            commit.schedules += effects.commit.schedules
            commit.firings += effects.commit.firings
            commit.omissions += effects.commit.omissions
            guard effects.isMoreDue else { return (visits, commit) }
            input = .due
            await Task.yield()
        }
    }

    @Test("a fixed interval counts its past reminders without visiting them")
    func arithmetic() async throws {
        let now = try instant("2026-03-20 12:00:00.5")
        let leads = [CalendarSpan(nanoseconds: 950_400_000_000_000), CalendarSpan(days: 11), CalendarSpan(months: 120)]
        let event = Self.event("e", try Trigger.every("1s", from: Self.start), remind: leads, try berlin())
        var state = ScheduleMachine(StoreSnapshot())
        let (visits, commit) = await Self.run(&state, .definitions(Self.set([event])), now: now)
        #expect(visits.reduce(0, +) < 4_000, "one for each day of a lead in days, and less for a shorter one")
        let years = try now.duration(to: instant("2036-03-20 12:00:00.5")).nanoseconds / 1_000_000_000
        // Daylight saving begins within the eleven days, so that many seconds are one hour less.
        #expect(Set(commit.omissions.map(\.count)) == [950_400, 950_400 - 3_600, Int(years)])
        #expect(commit.omissions.allSatisfy { $0.due <= now && $0.due > now.advanced(by: .seconds(-1)) })
    }

    @Test("a rule that cannot count is counted in parts, between which others fire and edits apply")
    func parts() async throws {
        let now = try instant("2026-03-20 12:00:00.5")
        let dense = Self.event("dense", try .cron("* * * * * *"), remind: [CalendarSpan(days: 1)])
        let other = Definition.event(id: "other", at: [now.advanced(by: .milliseconds(10))])
        let later = Definition.event(id: "later", at: [now.advanced(by: .milliseconds(20))])
        var state = ScheduleMachine(StoreSnapshot())
        var effects = state.step(.definitions(Self.set([dense, other])), now: now)
        #expect(effects.visits <= Self.limit && effects.isMoreDue)
        #expect(state.nextDue == now, "the next step follows at once")
        effects = state.step(.due, now: now.advanced(by: .milliseconds(10)))
        #expect(effects.commit.firings.map(\.definition) == [other.id])
        #expect(effects.visits <= Self.limit && effects.isMoreDue)
        effects = state.step(
            .changes(Self.set([dense, other, later]), of: [later.id]), now: now.advanced(by: .milliseconds(15)))
        #expect(state.schedule(of: later.id) != nil && effects.isMoreDue)
        let (visits, commit) = await Self.run(&state, .due, now: now.advanced(by: .milliseconds(30)))
        #expect(commit.firings.map(\.definition) == [later.id])
        #expect(commit.omissions.map(\.count) == [86_400])
        #expect(visits.count > 4 && visits.allSatisfy { $0 <= Self.limit })
    }

    @Test("a downtime of a dense rule is caught up in parts: the newest is sent, the others are counted, others fire")
    func downtime() async throws {
        let now = try instant("2026-03-20 12:00:00.5")
        let back = now.advanced(by: .seconds(86_400))
        let dense = Self.event("dense", try .cron("* * * * * *"), remind: [CalendarSpan(nanoseconds: 500_000_000)])
        let other = Definition.event(id: "other", at: [back.advanced(by: .milliseconds(10))])
        let set = Self.set([dense, other])
        var state = ScheduleMachine(StoreSnapshot())
        let stored = await Self.run(&state, .definitions(set), now: now).commit.schedules
        state = ScheduleMachine(StoreSnapshot(schedules: stored))
        let effects = state.step(.definitions(set), now: back)
        #expect(effects.visits <= Self.limit && effects.isMoreDue)
        #expect(effects.commit.firings.isEmpty, "nothing of it is written before its pass is complete")
        let second = state.step(.due, now: back.advanced(by: .milliseconds(10)))
        #expect(second.commit.firings.map(\.definition) == [other.id])
        let (visits, commit) = await Self.run(&state, .due, now: back.advanced(by: .milliseconds(20)))
        #expect(visits.allSatisfy { $0 <= Self.limit })
        let expiries = commit.firings.filter { $0.action == .expiry }
        // On time is what is late by 5 s at most; it takes the place of what was missed.
        #expect(expiries.count == 5)
        let counted = commit.omissions.filter { $0.action == .expiry }.map(\.count).reduce(0, +)
        #expect(counted + expiries.count == 86_400)
        let reminders = commit.omissions.filter { $0.action != .expiry }.map(\.count).reduce(0, +)
        #expect(reminders + commit.firings.count { $0.action.kind == .reminder } == 86_400)
        #expect(state.schedule(of: dense.id)?.occurrences == 86_400)
        #expect(state.schedule(of: dense.id)?.cursor == back)
    }

    @Test("an edit or a control of a definition that is being caught up ends the catching up, and it goes on from now")
    func interrupted() async throws {
        let now = try instant("2026-03-20 12:00:00.5")
        let back = now.advanced(by: .seconds(86_400))
        let dense = Self.event("dense", try .cron("* * * * * *"))
        var state = ScheduleMachine(StoreSnapshot())
        let stored = await Self.run(&state, .definitions(Self.set([dense])), now: now).commit.schedules
        state = ScheduleMachine(StoreSnapshot(schedules: stored))
        let isBehind = state.step(.definitions(Self.set([dense])), now: back).isMoreDue
        #expect(isBehind)
        let behind = state
        let edited = Self.event("dense", try .cron("*/2 * * * * *"))
        var effects = state.step(.definitions(Self.set([edited])), now: back)
        #expect(!effects.isMoreDue && effects.visits <= 2 * Self.limit)
        #expect(state.schedule(of: dense.id)?.cursor == back)
        state = behind
        let request = ControlRequest(id: dense.id, control: .skip, by: "ada")
        effects = state.step(.control(request), now: back)
        #expect(effects.visits <= 2 * Self.limit)
        #expect(state.schedule(of: dense.id)?.cursor == back)
        state = behind
        effects = state.step(.definitions(Self.set([])), now: back)
        #expect(!effects.isMoreDue && effects.visits <= 2 * Self.limit)
    }

    @Test(
        "a downtime of a fixed interval is counted by arithmetic, with the same result as by visits", arguments: 0..<20)
    func sameAsVisits(seed: Int) async throws {
        var chance = SplitMix(seed: UInt64(seed))
        func pick<Value>(_ values: [Value]) -> Value { values[Int(chance.next() % UInt64(values.count))] }
        let zone = try berlin()
        let now = try instant(pick(["2026-03-28 20:00:00.5", "2026-07-01 12:00:00.5", "2026-10-24 20:00:00.5"]))
        let back = now.advanced(by: .seconds(Int64(chance.next() % 20_000)))
        let leads = [
            CalendarSpan(nanoseconds: Int64(chance.next() % 9_000) * 500_000_000), CalendarSpan(days: 1),
            CalendarSpan(months: 1, nanoseconds: 1_800_000_000_000),
        ]
        let catchUp = pick(CatchUp.allCases)
        let grace = pick([Duration.seconds(2), .seconds(3_000), Lateness.grace])
        let isEnabled = pick([true, true, true, false])
        let until = pick([nil, nil, now.advanced(by: .seconds(Int64(chance.next() % 25_000)))])
        func missed(_ trigger: Trigger) async -> (visits: Int, omissions: [Omission], firings: [String]) {
            var event = Self.event("e", trigger, remind: leads, zone).with {
                ($0.catchUp, $0.grace, $0.isEnabled) = (catchUp, grace, isEnabled)
            }
            event.reminders.append(Reminder(CalendarSpan(nanoseconds: 60_000_000_000), side: .after, actions: []))
            var stored = ScheduleRevision(event).fresh(at: now)
            if let until {
                stored.overrides.mute = Overrides.Mute(until: until, origin: Overrides.Origin(by: "ada", at: now))
            }
            var state = ScheduleMachine(StoreSnapshot(schedules: [stored]))
            let (visits, commit) = await Self.run(&state, .definitions(Self.set([event])), now: back)
            let key = { (omission: Omission) in "\(omission.action.rawValue) \(omission.reason.rawValue)" }
            return (
                visits.reduce(0, +), commit.omissions.sorted { key($0) < key($1) },
                commit.firings.map { "\($0.action.rawValue) \($0.due) \($0.payload.isCatchUp)" }
            )
        }
        let counted = await missed(try .every("1s", from: "2020-01-01"))
        let visited = await missed(try .cron("* * * * * *"))
        #expect(counted.omissions == visited.omissions)
        #expect(counted.firings == visited.firings)
        #expect(counted.visits < 4_500)
    }

    @Test("a thousand leads of a sparse rule share its searches, which may be expensive, and find what a walk finds")
    func sparseRule() throws {
        let zone = try berlin()
        for trigger in [
            try Trigger.rrule(
                "FREQ=SECONDLY;INTERVAL=7919;BYHOUR=3;BYMINUTE=3;BYSECOND=3", from: "2026-01-01 03:03:03"),
            try .cron("0 0 29 2 *", zone), try .rrule("FREQ=MONTHLY", from: Self.start, zone),
        ] {
            let leads = (1...1_000).map {
                CalendarSpan(months: $0 % 3, days: $0 % 7, nanoseconds: Int64($0) * 60_000_000_000)
            }
            let event = Self.event("e", trigger, remind: leads, zone)
            let progress = EventProgress(definition: event, event: Event(trigger: trigger))
            let now = try instant("2026-03-20 12:00")
            let next = progress.nextDue(after: now)
            let searches = try #require(progress.memo).searches
            #expect(searches < 30, "\(searches)")
            let each = event.reminders.compactMap { reminder in
                LeadWalk(trigger: trigger, zone: zone, lead: reminder.lead, side: .before).firstDue(after: now)
            }
            #expect(next == (each + [trigger.next(after: now)].compactMap(\.self)).min())
        }
    }

    @Test("a disabled timer of one second counts a year of downtime by arithmetic")
    func disabledTimer() {
        let year = 365 * 86_400
        let timer = Definition.timer(.seconds(1), .immediately, remind: [.milliseconds(500)]).with {
            $0.isEnabled = false
        }
        var scenario = Scenario(timer)
        scenario.restart(now: at(Double(year) + 0.2))
        #expect(scenario.firings.isEmpty)
        let expiries = scenario.omissions.filter { $0.action == .expiry }
        #expect(expiries.map(\.count) == [year])
        #expect(expiries.map(\.reason) == [.disabled])
        #expect(scenario.omissions.filter { $0.action != .expiry }.map(\.count) == [year])
    }

    @Test("no turn of the engine visits more than twice the limit, whatever the number of dense definitions")
    func engine() throws {
        let leads = [CalendarSpan(nanoseconds: 7_200_000_000_000), CalendarSpan(nanoseconds: 14_400_000_000_000)]
        let definitions = try (0..<5).map { Self.event("e\($0)", try .cron("* * * * * *"), remind: leads) }
        let expected = 5 * 3 * 7_200
        var script = EngineScript()
        var turn = script.step(.schedule(.definitions(Self.set(definitions))))
        var (turns, total) = (0, 0)
        while turn.visits > 0 || script.commit != nil {
            turns += 1
            total += turn.visits
            #expect(turn.visits <= 2 * Self.limit)
            guard turns < 100 else { break }
            let isIdle = script.commit == nil
            if isIdle, total < expected { #expect(turn.wakeAt.map { $0 <= script.reading.now } ?? false) }
            turn = isIdle ? script.step() : script.written()
        }
        #expect(total == expected)
        #expect(turns > expected / (2 * Self.limit))
    }

    @Test(
        "random rules with leads: no step visits more than the limit, and every occurrence is sent or counted",
        arguments: 0..<60)
    func random(seed: Int) async throws {
        var chance = SplitMix(seed: UInt64(seed))
        func pick<Value>(_ values: [Value]) -> Value { values[Int(chance.next() % UInt64(values.count))] }
        let zone = pick([Zone.utc, try berlin()])
        let trigger: Trigger =
            switch chance.next() % 4 {
            case 0: try .every(pick(["1s", "7s", "90s", "1h", "1 day", "1 month"]), from: Self.start, zone)
            case 1:
                try .cron(
                    pick(["* * * * * *", "*/5 * * * * *", "* * * * *", "*/7 3 * * *", "0 9 * * 1", "0 0 29 2 *"]), zone)
            case 2:
                try .rrule(
                    pick([
                        "FREQ=SECONDLY", "FREQ=MINUTELY;INTERVAL=7", "FREQ=HOURLY;BYDAY=SU", "FREQ=MONTHLY;BYDAY=-1FR",
                    ]),
                    from: Self.start, zone)
            default:
                .at((0..<20_000).map { at(Double($0)) } + [at(1e7)])
            }
        let isDense = trigger.occurrence(80_000, after: at(0), upTo: at(86_400)) != nil
        let leads = (0..<Int(chance.next() % 5)).map { _ in
            CalendarSpan(
                months: isDense ? 0 : pick([0, 0, 0, 1]), days: isDense ? 0 : pick([0, 0, 1, 3]),
                nanoseconds: Int64(chance.next() % 7_200 + 1) * 500_000_000)
        }
        let event = Self.event("e", trigger, remind: leads, zone).with { $0.catchUp = pick(CatchUp.allCases) }
        let first = at(Double(chance.next() % 40_000))
        let second = first.advanced(by: .seconds(Int64(chance.next() % 50_000)))

        var state = ScheduleMachine(StoreSnapshot())
        let begun = await Self.run(&state, .definitions(Self.set([event])), now: first)
        state = ScheduleMachine(StoreSnapshot(schedules: begun.commit.schedules))
        let caughtUp = await Self.run(&state, .definitions(Self.set([event])), now: second)
        #expect((begun.visits + caughtUp.visits).allSatisfy { $0 <= Self.limit })

        func visited(_ action: FiringAction, in commit: Commit) -> Int {
            commit.firings.count { $0.action == action }
                + commit.omissions.filter { $0.action == action }.map(\.count).reduce(0, +)
        }
        var occurrences: [Timestamp] = []
        var next = trigger.next(after: first)
        /// The end of the occurrences whose reminder can be due by `second`. A month is nominally 30 days long.
        func horizon(_ lead: CalendarSpan) -> Timestamp {
            let margin = lead.months == 0 && lead.days == 0 ? Duration.zero : .seconds(4 * 86_400)
            return second.advanced(by: lead.nominalLength + margin)
        }
        let end = event.reminders.map { horizon($0.lead) }.max() ?? second
        while let occurrence = next, occurrence <= end {
            occurrences.append(occurrence)
            if occurrences.count.isMultiple(of: 1_000) { await Task.yield() }
            next = trigger.next(after: occurrence)
        }
        #expect(visited(.expiry, in: caughtUp.commit) == occurrences.count { $0 <= second })
        for reminder in event.reminders {
            let within = horizon(reminder.lead)
            var dues: [Timestamp] = []
            for occurrence in occurrences where occurrence <= within {
                dues.append(zone.instant(reminder.lead, .before, of: occurrence))
                if dues.count.isMultiple(of: 1_000) { await Task.yield() }
            }
            let same = event.reminders.filter { $0.action == reminder.action }.count
            // Of a list, the reminders of instants that were past themselves are recorded as well.
            let past = if case .at(let instants, _) = trigger { instants.count { $0 <= first } } else { 0 }
            #expect(visited(reminder.action, in: begun.commit) == same * (past + dues.count { $0 <= first }))
            let coming = dues.filter { $0 > first && $0 <= second }.count
            #expect(visited(reminder.action, in: caughtUp.commit) == same * coming)
        }
    }
}
