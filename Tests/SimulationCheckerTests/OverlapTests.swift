import SimulationChecker
import Testing

@Suite("What the checker of simulations knows of overlap")
struct OverlapTests {
    /// The rules broken if only the first of two occurrences, at 100 s and 115 s, is sent; `overlap: skip`. Times are in
    /// milliseconds.
    private func broken(begun: Int64, ended: Int64, _ events: [(Int64, Happened)] = []) -> [String] {
        let (ms, wall): (Nanoseconds, Nanoseconds) = (1_000_000, 1_000_000_000_000_000)
        let first = wall + 100_000 * ms
        let instants = [first, first + 15_000 * ms]
        var rule = Rule(kind: .event(.instants(instants)), sinks: ["s"], catchUp: .none, grace: 3_600_000 * ms)
        rule.overlap = .skip
        let attempt = Handover(
            number: 1, process: 3, sink: "s", delivery: "id", definition: "d", occurrence: first, action: .expiry,
            due: first, isCatchUp: false, failed: nil)
        let start: [(Int64, Happened)] = [(0, .started), (0, .follows(2)), (0, .follows(3)), (0, .edited("d", rule))]
        let end: [(Int64, Happened)] = [
            (begun, .received(attempt)), (begun + 1, .taken(1)), (ended, .told(1, .delivered)), (1_000_000, .over),
        ]
        let terms = SinkTerms(maxConcurrent: 1, longestWait: 1_000 * ms, giveUpAfter: 3_600_000 * ms, limit: 5)
        let history = (start + events + end).map { Record(steady: $0.0 * ms, wall: wall + $0.0 * ms, $0.1) }
        return Checker(history, sinks: ["s": terms]).violations.map(\.rule)
    }

    @Test("an occurrence that comes after a correction may replace one that waits from the wrong time")
    func replacedAfterACorrection() {
        let cases: [(Rule.Overlap, [String])] = [(.replace, []), (.queue, ["given up too early"])]
        for (overlap, rules) in cases {
            var history = WrittenHistory()
            history.edit(0, .event(at: 1_000, 13_000, overlap: overlap, catchUp: .none))
            history.restart(from: 900, to: 1_100)
            history.send(13_000, of: 13_000, as: .mayPass)
            history.setClock(13_100, by: -12_500)
            history.send(13_500, of: 1_000)
            #expect(history.broken(until: 30_000, longestWait: 1_000) == rules)
        }
    }

    @Test(
        "in a fleet an attempt counts as running until its end is in the store",
        arguments: [(114_990, []), (114_000, ["lost"])] as [(Int64, [String])])
    func settlementOnItsWay(ended: Int64, rules: [String]) { #expect(broken(begun: 100_050, ended: ended) == rules) }

    @Test(
        "a claim that never began counts as running until it is released",
        arguments: [(116_500, []), (114_000, ["lost"])] as [(Int64, [String])])
    func claimOfOneThatIsGone(released: Int64, rules: [String]) {
        let events: [(Int64, Happened)] = [(103_000, .followerGone(2)), (released, .claimsReleased(2))]
        #expect(broken(begun: 119_500, ended: 119_700, events) == rules)
    }

    @Test(
        "a snoozed occurrence that comes later replaces another one",
        arguments: [(.replace, []), (.queue, ["lost"])] as [(Rule.Overlap, [String])])
    func replacedBySnoozed(overlap: Rule.Overlap, rules: [String]) {
        var history = WrittenHistory()
        history.edit(0, .event(at: 100, 200, overlap: overlap))
        history.ask(10, .snooze, amount: WrittenHistory.time(150))
        history.trouble(from: 60, to: 300)
        history.send(310, of: 100, due: 250)
        #expect(history.broken() == rules)
    }

    @Test(
        "the rule of the later occurrence decides whether it replaces another one",
        arguments: [(.replace, []), (.queue, ["given up too early"])] as [(Rule.Overlap, [String])])
    func overlapOfTheLaterOne(overlap: Rule.Overlap, rules: [String]) {
        var history = WrittenHistory()
        history.edit(0, .event(at: 100, 115, overlap: .skip))
        history.send(100, of: 100, as: .mayPass)
        history.edit(110, .event(at: 100, 115, overlap: overlap))
        history.send(115, of: 115)
        #expect(history.broken() == rules)
    }

    @Test("what may overlap is never replaced")
    func allowed() {
        var history = WrittenHistory()
        history.edit(0, .event(at: 100, 115, overlap: .allow))
        history.send(100, of: 100, as: .mayPass)
        history.edit(110, .event(at: 100, 115, overlap: .replace))
        history.send(115, of: 115)
        #expect(history.broken() == ["given up too early"])
    }

    @Test(
        "what came due in a sleep at whose end the clock was set may have replaced another one",
        arguments: [(.replace, []), (.queue, ["given up too early"])] as [(Rule.Overlap, [String])])
    func replacedInSleep(overlap: Rule.Overlap, rules: [String]) {
        var history = WrittenHistory()
        history.edit(0, .stopwatch(100, 300, overlap: overlap))
        history.send(100, .elapsed, of: 100, as: .mayPass)
        history.add(400, .slept(WrittenHistory.time(250)))
        history.setClock(400, by: -3)
        history.send(400, .elapsed, of: 297)
        #expect(history.broken() == rules)
    }
}
