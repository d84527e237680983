import SimulationChecker
import Testing

@Suite("From when the checker of simulations counts an edit")
struct EditTests {
    @Test("an edit that a refusing store holds up, and a crash forgets, begins with the next process")
    func forgottenEdit() {
        let second: Nanoseconds = 1_000_000_000
        let day = 1_800_000_000 * second
        func record(_ at: Int64, _ event: Happened) -> Record {
            Record(steady: at * second, wall: day + at * second, event)
        }
        let kind = Rule.Kind.timer(
            duration: 1_000 * second, .never, count: .max, isAuto: true, followsWall: false, isAwake: false)
        let rule = Rule(kind: kind, sinks: ["s"], catchUp: .all, grace: 600 * second)
        let due = day + 1_222 * second
        let sent = Handover(
            number: 1, process: 2, sink: "s", delivery: "a", definition: "t", occurrence: due, action: .expiry,
            due: due, isCatchUp: false, failed: nil)
        let terms = [
            "s": SinkTerms(maxConcurrent: 1, longestWait: 60 * second, giveUpAfter: 600 * second, limit: 9)
        ]
        let before = [
            record(0, .started), record(100, .storeTroubled), record(160, .storeWorks), record(161, .edited("t", rule)),
        ]
        let after = [
            record(162, .crashed(1)), record(222, .started), record(1_222, .received(sent)), record(1_223, .taken(1)),
            record(1_223, .told(1, .delivered)),
        ]
        let end = [record(9_000, .over)]
        #expect(Checker(before + after + end, sinks: terms).violations.map(\.rule) == [])
        #expect(Checker(before + end, sinks: terms).violations.map(\.rule) == ["lost"], "without a crash it counts")
    }
}
