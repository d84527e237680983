import Testing

@testable import TminusCore

/// Compares the due instants of leads with a walk over every occurrence.
@Suite("Lead times over many occurrences")
struct LeadWalkTests {
    static let berlin = try! Zone(name: "Europe/Berlin", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    static let leads = [
        CalendarSpan(months: 1), CalendarSpan(months: 1, days: 1, nanoseconds: 3_600_000_000_000),
        CalendarSpan(days: 1),
        CalendarSpan(days: 7, nanoseconds: 1_800_000_000_000), CalendarSpan(nanoseconds: 5_400_000_000_000),
        CalendarSpan(months: 12),
    ]

    /// Reproducible irregular occurrences over two hundred days with both offset changes.
    static let occurrences: [Timestamp] = {
        var random = SplitMix(seed: 7)
        let start = berlin.instant(of: LocalDateTime(2026, 3, 1, 0, 0, 0))
        var seconds = Set<Int64>()
        for _ in 0..<4_000 { seconds.insert(Int64(random.next() % (270 * 86_400 / 600)) * 600) }
        return seconds.sorted().map { start.advanced(by: .seconds($0)) }
    }()

    @Test(
        "the first due instant after a cursor, and all in a span, match a walk over every occurrence", arguments: leads)
    func walk(lead: CalendarSpan) {
        var random = SplitMix(seed: 11)
        for side in [Reminder.Side.before, .after] {
            let walk = LeadWalk(trigger: .at(Self.occurrences), zone: Self.berlin, lead: lead, side: side)
            let dues = Self.occurrences.map { (occurrence: $0, due: walk.due(of: $0)) }
            let low = dues.map(\.due).min()!
            let span = UInt64(low.duration(to: dues.map(\.due).max()!).nanoseconds / 1_000_000_000)
            for _ in 0..<150 {
                let cursor = low.advanced(by: .seconds(Int64(random.next() % (span + 86_400)) - 43_200))
                #expect(walk.firstDue(after: cursor) == dues.map(\.due).filter { $0 > cursor }.min())
                let end = cursor.advanced(by: .seconds(Int64(random.next() % 900_000)))
                var found: [Timestamp] = []
                walk.forEach(dueAfter: cursor, upTo: end) { occurrence, _ in found.append(occurrence) }
                #expect(found == dues.filter { $0.due > cursor && $0.due <= end }.map(\.occurrence))
            }
        }
    }

    @Test("passed occurrences with reminders that are still to come match a walk over every occurrence")
    func comingReminders() throws {
        var random = SplitMix(seed: 13)
        let (first, last) = (try #require(Self.occurrences.first), try #require(Self.occurrences.last))
        let span = UInt64(first.duration(to: last).nanoseconds / 1_000_000_000)
        for leads in [[Self.leads[0]], [Self.leads[2], Self.leads[4]], [Self.leads[3]]] {
            let reminders = leads.map { ($0, Reminder.Side.after) } + [(Self.leads[5], .before)]
            let coming = ComingReminders(reminders, of: .at(Self.occurrences), in: Self.berlin)
            for _ in 0..<100 {
                let now = first.advanced(by: .seconds(Int64(random.next() % (span + 4_000_000))))
                // An occurrence and the earliest of its reminders that is to come.
                let passed = Self.occurrences.filter { $0 <= now }.compactMap { occurrence in
                    leads.map { Self.berlin.instant($0, .after, of: occurrence) }.filter { $0 > now }.min()
                        .map { (occurrence: occurrence, due: $0) }
                }
                let expected = passed.sorted { ($0.due, $0.occurrence) < ($1.due, $1.occurrence) }
                #expect(coming.occurrences(upTo: now, limit: 5_000) == passed.map(\.occurrence))
                #expect(coming.occurrences(upTo: now, limit: 3) == expected.prefix(3).map(\.occurrence).sorted())
                let later = Self.occurrences.contains { $0 > now }
                #expect(coming.exist(after: now) == (later || !passed.isEmpty))
            }
        }
    }

    @Test("what was due when an event was defined is counted, in runs and in parts", arguments: leads)
    func past(lead: CalendarSpan) {
        var random = SplitMix(seed: 13)
        let walk = LeadWalk(trigger: .at(Self.occurrences), zone: Self.berlin, lead: lead, side: .before)
        let dues = Self.occurrences.map { (occurrence: $0, due: walk.due(of: $0)) }
        for _ in 0..<100 {
            let now = Self.occurrences[0].advanced(by: .seconds(Int64(random.next() % (270 * 86_400))))
            let expected = dues.filter { $0.occurrence > now && $0.due <= now }
            var (count, last, position) = (0, Timestamp?.none, Timestamp?.none)
            repeat {
                position = walk.visitPast(at: now, from: position) { occurrence, due, number in
                    #expect(due == walk.due(of: occurrence))
                    (count, last) = (count + number, occurrence)
                    return random.next() % 2 == 0
                }
            } while position != nil
            #expect(count == expected.count)
            #expect(last == expected.last?.occurrence)
        }
    }

    @Test("a lead keeps its length for as long as it says, and a day has few such parts", arguments: leads)
    func steadySpan(lead: CalendarSpan) throws {
        let zones = [Self.berlin, try Zone(name: "odd", posix: "AAA11BBB-12,M3.5.0/0:30,M4.1.0/0:30")]
        for zone in zones {
            for side in [Reminder.Side.before, .after] {
                var occurrence = zone.instant(of: LocalDateTime(2026, 3, 20, 0, 0, 0))
                let end = occurrence.advanced(by: .seconds(50 * 86_400))
                var parts = 0
                while occurrence < end {
                    let span = zone.steadySpan(of: lead, side, from: occurrence)
                    let due = zone.instant(lead, side, of: occurrence)
                    for share in [Int64(1), 3, 7, 8] {
                        let step = Duration.nanoseconds((span.nanoseconds - 1) / 8 * share)
                        let later = zone.instant(lead, side, of: occurrence.advanced(by: step))
                        #expect(later == due.advanced(by: step))
                    }
                    occurrence = occurrence.advanced(by: span)
                    parts += 1
                }
                #expect(parts < 120)
            }
        }
    }

    @Test("if a lead of a month reverses the order of two occurrences, neither is lost or late")
    func turnedOrder() {
        let late = Self.berlin.instant(of: LocalDateTime(2026, 3, 28, 10, 0, 0))
        let early = Self.berlin.instant(of: LocalDateTime(2026, 3, 31, 9, 0, 0))
        let same = Self.berlin.instant(of: LocalDateTime(2026, 3, 30, 9, 0, 0))
        let event = Definition.event(at: [late, same, early]).with {
            $0.zone = Self.berlin
            $0.reminders = [Reminder(CalendarSpan(months: 1), actions: [Definition.sink])]
        }
        let start = Self.berlin.instant(of: LocalDateTime(2026, 2, 1, 0, 0, 0))
        var scenario = Scenario(event, now: start)
        var sent: [Timestamp] = []
        while let due = scenario.state.nextDue, due < late { sent += scenario.step(now: due).map(\.occurrence) }
        #expect(sent == [same, early, late])
        #expect(scenario.omissions.isEmpty)
    }

    @Test("jitter spreads the expiries, keeps their order, and is the same after a restart")
    func jitter() {
        let event = Definition.event(at: (0..<50).map { at(100 + Double($0) * 60) }).with {
            $0.schedule = .event(
                Event(trigger: .at((0..<50).map { at(100 + Double($0) * 60) }), jitter: .seconds(3_600)))
        }
        func run(restartEvery period: Int) -> [Firing] {
            var scenario = Scenario(event)
            var count = 0
            while let due = scenario.state.nextDue {
                scenario.step(now: due)
                count += 1
                if count % period == 0 { scenario.restart(now: due) }
            }
            return scenario.firings
        }
        let firings = run(restartEvery: .max)
        #expect(firings.count == 50)
        #expect(firings.map(\.occurrence) == (0..<50).map { at(100 + Double($0) * 60) })
        #expect(zip(firings, firings.dropFirst()).allSatisfy { $0.due < $1.occurrence })
        #expect(firings.allSatisfy { $0.due >= $0.occurrence })
        #expect(Set(firings.map { $0.occurrence.duration(to: $0.due) }).count > 40)
        #expect(run(restartEvery: 1).map(\.due) == firings.map(\.due))
    }
}
