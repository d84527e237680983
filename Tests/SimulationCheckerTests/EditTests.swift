import SimulationChecker
import Testing

@Suite("From when the checker of simulations counts an edit")
struct EditTests {
    @Test("an edit that waits as the machine goes to sleep lets the timer go on until the end of the sleep")
    func editBeforeASleep() {
        for (sleeps, rules) in [(true, []), (false, ["nothing was due"])] as [(Bool, [String])] {
            var history = WrittenHistory()
            history.edit(0, .timer(1_000))
            history.edit(900, .event(at: 9_999))
            if sleeps { history.add(1_200, .slept(WrittenHistory.time(300))) }
            history.send(1_200, of: 1_000)
            #expect(history.broken() == rules)
        }
    }

    @Test("an edit after the clock was set back makes due anew what a mute had withdrawn")
    func editAfterAMute() {
        for edits in [true, false] {
            var history = WrittenHistory()
            history.edit(0, .event(at: 1_000))
            history.ask(500, .mute, amount: WrittenHistory.instant(1_500))
            history.ask(1_600, .mute, amount: WrittenHistory.instant(1_700))
            history.setClock(2_000, by: -1_200)
            if edits { history.edit(2_050, .event(at: 1_000).to("t")) }
            history.send(2_200, of: 1_000, to: edits ? "t" : "s")
            #expect(history.broken().contains("sent although it was withdrawn by a mute") == !edits)
        }
    }

    @Test("a control that is answered after an edit may act on what the edit brought")
    func addedBeforeTheAnswer() {
        for (answered, rules) in [(1_100, []), (1_050, ["lost"])] as [(Int64, [String])] {
            var history = WrittenHistory()
            history.add(1_000, .asked(1, Wish(.stop, "d")))
            history.add(answered, .answered(1, isDone: true))
            history.edit(1_100, .timer(1_000))
            #expect(history.broken() == rules)
        }
    }

    @Test("a snooze moves to the next occurrence as of the process that takes an edit which a crash forgot")
    func snoozeMovedByAStart() {
        for crashes in [true, false] {
            var history = WrittenHistory()
            history.edit(0, .event(at: 9_000, catchUp: .none))
            history.ask(100, .snooze, amount: WrittenHistory.time(130))
            if crashes { history.trouble(from: 900, to: 1_300) }
            history.edit(1_000, .event(at: 2_000, 3_000, 4_000, catchUp: .none))
            history.restart(from: 1_050, to: 2_500)
            history.send(3_130, of: 3_000, due: 3_130)
            history.send(4_000, of: 4_000)
            #expect(history.broken().contains("lost") == !crashes)
        }
    }

    @Test("an alert of a stopwatch may come before a control of the same moment")
    func alertAtAControl() {
        for (asked, rules) in [(1_000, []), (999, ["nothing was due"])] as [(Int64, [String])] {
            var history = WrittenHistory()
            history.edit(0, .stopwatch(1_000))
            history.ask(asked, .reset)
            history.send(1_000, .elapsed, of: 1_000)
            #expect(history.broken() == rules)
        }
    }

    @Test("a control fits if the rule fits that is in force when it is answered")
    func editBeforeTheAnswer() {
        for (edits, rules) in [(true, []), (false, ["a control that does not fit was done"])] as [(Bool, [String])] {
            var history = WrittenHistory()
            history.edit(0, .event(at: 9_999))
            history.add(1_000, .asked(1, Wish(.lap, "d")))
            if edits { history.edit(1_100, .stopwatch(99_999)) }
            history.add(1_100, .answered(1, isDone: true))
            #expect(history.broken() == rules)
        }
    }

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

    @Test(
        "of two edits at one moment the program may have read only the second one",
        arguments: [(500, []), (600, ["nothing was due", "lost"])] as [(Int64, [String])])
    func editsAtOneMoment(second: Int64, rules: [String]) {
        var history = WrittenHistory()
        history.edit(0, .timer(1_000))
        history.edit(500, .event(at: 100))
        history.edit(second, .timer(2_000))
        history.send(2_000, of: 2_000)
        #expect(history.broken() == rules)
    }

    @Test("what was disabled and enabled at one moment may go on", arguments: [false, true])
    func disabledForAMoment(isEnabledAgain: Bool) {
        var history = WrittenHistory()
        history.edit(0, .event(at: 100))
        history.send(100, of: 100, as: .mayPass)
        history.edit(110, .event(at: 100).disabled())
        if isEnabledAgain { history.edit(110, .event(at: 100)) }
        history.send(160, of: 100)
        #expect(
            history.broken()
                == (isEnabledAgain ? [] : ["sent although it was withdrawn when its definition was disabled"]))
    }

    @Test("an edit to another kind that a crash forgets does not end a countdown", arguments: [true, false])
    func forgottenKind(isTimer: Bool) {
        var history = WrittenHistory()
        history.edit(0, isTimer ? .timer(1_000) : .stopwatch(1_000))
        history.trouble(from: 100, to: 300)
        history.edit(150, .event(at: 8_000))
        history.restart(from: 160, to: 400)
        history.edit(350, isTimer ? .timer(2_000) : .stopwatch(2_000))
        history.send(2_000, isTimer ? .expiry : .elapsed, of: 2_000)
        #expect(history.broken(until: 5_000) == [])
    }

    @Test("an edit that no crash forgets ends a countdown, although the store refused it")
    func rememberedKind() {
        var history = WrittenHistory()
        history.edit(0, .timer(1_000))
        history.trouble(from: 100, to: 300)
        history.edit(150, .event(at: 8_000))
        history.edit(5_000, .timer(2_000))
        #expect(history.broken(until: 7_900) == ["lost"])
    }

    @Test("what came due as the process ended may be unknown to an edit that the next one reads")
    func dueAtTheCrash() {
        var history = WrittenHistory()
        history.edit(0, .timer(1_000, .immediately))
        history.restart(from: 1_000, to: 1_900)
        history.edit(1_100, .timer(1_500))
        history.send(3_400, of: 3_400)
        #expect(history.broken() == [])
    }

    @Test("an expiry that a clock set back brings twice may be of a later rule")
    func ruleOfTheSecondTime() {
        var history = WrittenHistory()
        history.edit(0, .timer(1_000, .immediately))
        history.restart(from: 900, to: 1_200)
        history.setClock(1_100, by: -500)
        history.edit(1_300, .timer(1_000, .immediately).to("t"))
        history.send(1_500, of: 1_000, to: "t")
        #expect(history.broken(until: 2_000) == [])
    }

    @Test("a clock set forward at the moment of an edit passes over what the edit brings")
    func editAndStep() {
        var history = WrittenHistory()
        history.edit(100, .event(at: 100, 115, 130, catchUp: .latest))
        history.setClock(100, by: 1_000)
        history.send(100, of: 130)
        #expect(history.broken() == [])
    }

    @Test("how many cycles have ended is not known of a timer that was seen again by an expiry")
    func unknownCount() {
        var history = WrittenHistory()
        history.edit(10, .timer(100, .immediately))
        history.restart(from: 10, to: 50)
        for time in [150, 250] as [Int64] { history.send(time, of: time) }
        history.edit(300, .timer(200, .immediately, count: 3))
        history.send(450, of: 450)
        #expect(history.broken() == [])
    }
}
