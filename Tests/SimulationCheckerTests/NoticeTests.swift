import SimulationChecker
import Testing

@Suite("Notices of failure that the checker of simulations demands")
struct NoticeTests {
    /// The rules that a history breaks, with times in seconds. An event is due at 60 s; processes 2 to 4 deliver it.
    private func broken(_ events: (Nanoseconds, Happened)...) -> [String] {
        let second: Nanoseconds = 1_000_000_000
        var rule = Rule(
            kind: .event(.instants([60 * second])), sinks: ["s"], catchUp: .latest, grace: 86_400 * second)
        rule.failureSinks = ["alarm"]
        let terms = SinkTerms(
            maxConcurrent: 1, longestWait: 10 * second, giveUpAfter: 3_600 * second, limit: .max)
        let begin: [(Nanoseconds, Happened)] = [
            (0, .started), (0, .edited("d", rule)), (0, .follows(2)), (0, .follows(3)), (0, .follows(4)),
        ]
        let history = (begin + events + [(7_200, .over)]).map { time, event in
            Record(steady: time * second, wall: time * second, event)
        }
        return Checker(history, sinks: ["s": terms, "alarm": terms]).violations.map(\.rule)
    }

    private func received(_ number: Int, by process: Int) -> Happened {
        .received(
            Handover(
                number: number, process: process, sink: "s", delivery: "id", definition: "d",
                occurrence: 60_000_000_000, action: .expiry, due: 60_000_000_000, isCatchUp: false, failed: nil))
    }

    @Test("a refusal is told")
    func refused() {
        #expect(broken((60, received(1, by: 2)), (61, .told(1, .hopeless))) == ["a notice of failure is lost"])
    }

    @Test("a refusal that was forgotten at the third interruption is told to nobody")
    func thirdInterruption() {
        #expect(
            broken(
                (60, received(1, by: 2)), (61, .followerGone(2)), (74, .claimsReleased(2)),
                (77, received(2, by: 3)), (78, .followerGone(3)), (91, .claimsReleased(3)),
                (94, received(3, by: 4)), (95, .followerLeaves(4)), (96, .told(3, .hopeless)),
                (108, .claimsReleased(4)), (116, .reconnected(4))) == [])
    }

    @Test("a refusal that was forgotten is not told if the next attempt is taken, but if none follows")
    func forgotten() {
        #expect(
            broken(
                (60, received(1, by: 2)), (61, .followerLeaves(2)), (62, .told(1, .hopeless)), (74, .claimsReleased(2)),
                (77, received(2, by: 3)), (78, .taken(2)), (79, .told(2, .delivered))) == [])
        #expect(
            broken(
                (60, received(1, by: 2)), (61, .followerLeaves(2)), (62, .told(1, .hopeless)), (74, .claimsReleased(2)))
                == ["a notice of failure is lost"])
    }
}
