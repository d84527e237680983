import SimulationChecker
import Testing

@Suite("What the checker of simulations knows of clocks that are set, and of sleep")
struct ClockTests {
    @Test("an expiry that is not in the store yet moves with the clock, and no other one", arguments: [false, true])
    func expiryInTrouble(isInTrouble: Bool) {
        var history = WrittenHistory()
        history.edit(0, .timer(1_000))
        if isInTrouble { history.trouble(from: 900, to: 1_300) }
        history.setClock(isInTrouble ? 1_100 : 1_010, by: 500)
        if isInTrouble { history.send(1_310, of: 1_500) }
        #expect(history.broken() == (isInTrouble ? [] : ["lost"]))
    }

    @Test("an expiry that is not in the store yet moves with a sleep if the timer counts waking time, and no other one")
    func sleepInTrouble() {
        for (isAwake, rules) in [(true, []), (false, ["nothing was due", "lost"])] as [(Bool, [String])] {
            var history = WrittenHistory()
            history.edit(0, .timer(1_000, isAwake: isAwake))
            history.trouble(from: 900, to: 1_300)
            history.add(1_200, .slept(WrittenHistory.time(3)))
            history.send(1_310, of: 1_003)
            #expect(history.broken().sorted() == rules.sorted())
        }
    }

    @Test("what moved with the clock in trouble may be sent after its definition is removed")
    func movedAndRemoved() {
        var history = WrittenHistory()
        history.edit(0, .timer(1_000))
        history.trouble(from: 900, to: 1_300)
        history.setClock(1_100, by: -500)
        history.add(1_200, .edited("d", nil))
        history.send(1_310, of: 500)
        #expect(history.broken() == [])
    }

    @Test("a process that ends as a sleep ends leaves a timer of waking time where it was, and no other one does")
    func crashAtTheEndOfASleep() {
        for (restart, rules) in [(true, []), (false, ["nothing was due", "lost"])] as [(Bool, [String])] {
            var history = WrittenHistory()
            history.edit(0, .timer(1_000, .immediately, isAwake: true))
            for time in [1_000, 2_000] as [Int64] { history.send(time, of: time) }
            history.add(2_900, .slept(WrittenHistory.time(400)))
            if restart { history.restart(from: 2_900, to: 2_900) }
            history.send(3_000, of: 3_000)
            #expect(history.broken(until: 3_500) == rules)
        }
    }

    @Test("what the clock came to in a sleep is not missed if the process ends with it, and the clock is set back then")
    func sleptOverAndCrashed() {
        var history = WrittenHistory()
        history.edit(0, .event(at: 1_000, catchUp: .none))
        history.add(1_100, .slept(WrittenHistory.time(400)))
        history.restart(from: 1_100, to: 1_300)
        history.setClock(1_200, by: -500)
        history.send(1_500, of: 1_000)
        #expect(history.broken() == [])
    }

    @Test("what is due just before the end of a sleep is not missed, although the clock is then set forward")
    func setForwardAfterASleep() {
        let rule = "missed and sent although nothing is to be caught up on"
        for (wake, rules) in [(1_004, []), (1_020, [rule])] as [(Int64, [String])] {
            var history = WrittenHistory()
            history.edit(0, .event(at: 1_000, catchUp: .none))
            history.add(wake, .slept(WrittenHistory.time(300)))
            history.setClock(wake, by: 500)
            history.send(wake, of: 1_000)
            #expect(history.broken() == rules)
        }
    }

    @Test("what the clock came to in a sleep, and was set back behind at the end of the next one, is not missed")
    func sleptOverAndSetBack() {
        let rule = "missed and sent although nothing is to be caught up on"
        for (isSetBack, rules) in [(true, []), (false, [rule])] as [(Bool, [String])] {
            var history = WrittenHistory()
            history.edit(0, .event(at: 1_000, catchUp: .none))
            for (end, length) in [(1_100, 400), (1_150, 50)] as [(Int64, Int64)] {
                history.add(end, .slept(WrittenHistory.time(length)))
            }
            if isSetBack { history.setClock(1_150, by: -500) }
            history.send(isSetBack ? 1_500 : 1_150, of: 1_000)
            #expect(history.broken() == rules)
        }
    }

    @Test("a mute withdraws nothing that the clock came to in a sleep, and was set back behind at its end")
    func mutedAfterASleep() {
        for (sleeps, rules) in [
            (true, []), (false, ["sent although it was withdrawn by a mute"]),
        ] as [(Bool, [String])] {
            var history = WrittenHistory()
            history.edit(0, .event(at: 1_000))
            if sleeps { history.add(1_100, .slept(WrittenHistory.time(500))) }
            history.setClock(1_100, by: -600)
            history.ask(1_200, .mute, amount: WrittenHistory.instant(700))
            history.send(1_600, of: 1_000)
            #expect(history.broken() == rules)
        }
    }

    @Test("a timer that follows the clock may begin before the clock is set, or after that", arguments: [0, 50])
    func addedAtTheStep(moved: Int64) {
        var history = WrittenHistory()
        history.edit(100, .timer(1_000, followsWall: true))
        history.setClock(100, by: -50)
        history.send(1_100 + moved, of: 1_050 + moved)
        #expect(history.broken() == [])
    }

    @Test("the end of an expired timer does not move with the clock")
    func expired() {
        var history = WrittenHistory()
        history.edit(0, .timer(1_000).reminding(after: 500))
        history.send(1_000, of: 1_000)
        history.setClock(1_100, by: -50)
        history.send(1_550, .reminder, of: 1_000, due: 1_500)
        #expect(history.broken() == [])
    }

    @Test("a correction moves what comes after an expiry")
    func corrected() {
        var history = WrittenHistory()
        history.edit(0, .timer(1_000).reminding(after: 480))
        history.send(1_000, of: 1_000)
        history.setClock(1_100, by: -20_000)
        history.send(1_580, .reminder, of: -18_900, due: -18_420)
        #expect(history.broken(until: 30_000) == [])
    }

    @Test("what a clock set forward crosses may come before a control of the same moment")
    func pausedAtTheStep() {
        var history = WrittenHistory()
        history.edit(0, .timer(100, .immediately, followsWall: true, catchUp: .latest))
        for time in [100, 200] as [Int64] { history.send(time, of: time) }
        history.setClock(250, by: 120)
        history.ask(250, .pause)
        history.send(250, of: 300)
        #expect(history.broken() == [])
    }

    @Test(
        "a mute withdraws what waits, but nothing that a clock set back puts into the future before anybody knew of it",
        arguments: [(false, []), (true, ["sent although it was withdrawn by a mute"])] as [(Bool, [String])])
    func mutedInBetween(isKnown: Bool, rules: [String]) {
        var history = WrittenHistory()
        history.edit(0, .event(at: 1_000))
        if isKnown { history.send(1_000, of: 1_000, as: .mayPass) }
        history.restart(from: 1_000, to: 1_200)
        history.setClock(1_100, by: -500)
        history.ask(1_300, .mute, amount: WrittenHistory.instant(900))
        history.send(1_500, of: 1_000)
        #expect(history.broken(longestWait: 1_000) == rules)
    }

    @Test(
        "a retry stays where it is on a clock that is set back while no process runs",
        arguments: [
            (301, -100, []), (390, -100, ["a retry came too late"]), (370, 100, ["a retry came too late"]),
        ] as [(Int64, Int64, [String])])
    func retryAheadOfTheClock(begun: Int64, step: Int64, rules: [String]) {
        var history = WrittenHistory()
        history.edit(0, .event(at: 100))
        history.send(100, of: 100, as: .mayPass)
        history.restart(from: 150, to: 205)
        history.setClock(200, by: step)
        history.send(begun, of: 100)
        #expect(history.broken(longestWait: 100) == rules)
    }

    @Test("a mute withdraws what waits also if the clock was set back while the process ran")
    func mutedAfterStep() {
        var history = WrittenHistory()
        history.edit(0, .event(at: 100))
        history.setClock(150, by: -100)
        history.ask(160, .mute, amount: WrittenHistory.instant(70))
        history.send(200, of: 100)
        #expect(history.broken() == ["sent although it was withdrawn by a mute"])
    }

    @Test("a clock set back while no process runs does not let anything be caught up on that is not to be")
    func caughtUp() {
        var history = WrittenHistory()
        history.edit(0, .timer(1_000, catchUp: .none))
        history.restart(from: 900, to: 1_200)
        history.setClock(1_100, by: -50)
        history.send(1_200, of: 1_000)
        #expect(history.broken() == ["missed and sent although nothing is to be caught up on"])
    }

    @Test("only the end of the process with the schedule forgets a step of the clock")
    func releasedClaims() {
        var history = WrittenHistory()
        history.edit(0, .event(at: 140))
        history.add(0, .follows(2))
        history.trouble(from: 100, to: 200)
        history.setClock(150, by: 1)
        history.add(210, .claimsReleased(2))
        #expect(history.broken() == ["lost"])
    }

    @Test(
        "a step of the clock that a crash forgets counts as time that has passed",
        arguments: [(true, []), (false, ["given up too early"])] as [(Bool, [String])])
    func forgottenStep(isForgotten: Bool, rules: [String]) {
        var history = WrittenHistory()
        history.edit(0, .event(at: 100))
        history.send(100, of: 100, as: .mayPass)
        history.setClock(150, by: 1_000)
        if isForgotten { history.restart(from: 150, to: 160) }
        #expect(history.broken(giveUpAfter: 300) == rules)
    }

    @Test("which expiry is the latest is not known of a timer that slept while no process ran")
    func latestAfterSleep() {
        var history = WrittenHistory()
        history.edit(0, .timer(100, .immediately, isAwake: true, catchUp: .latest))
        history.restart(from: 90, to: 410)
        history.add(300, .slept(WrittenHistory.time(60)))
        history.send(410, of: 400)
        history.send(500, of: 500)
        #expect(history.broken(until: 590) == [])
    }

    @Test(
        "of a mute and its end at one moment the later one counts",
        arguments: [([.unmute, .mute], []), ([.mute, .unmute], ["lost"])] as [([Wish.Verb], [String])])
    func mutedAtOneMoment(verbs: [Wish.Verb], rules: [String]) {
        var history = WrittenHistory()
        history.edit(0, .event(at: 100))
        for verb in verbs { history.ask(50, verb, amount: WrittenHistory.instant(200)) }
        #expect(history.broken() == rules)
    }

    @Test(
        "a clock that two steps set back by more than three hours is corrected",
        arguments: [(-7_200, 15_400, []), (-4_000, 12_200, ["sent although muted"])] as [(Int64, Int64, [String])])
    func correctedByTwoSteps(second: Int64, sent: Int64, rules: [String]) {
        var history = WrittenHistory()
        history.edit(0, .event(at: 1_000))
        history.ask(10, .mute, amount: WrittenHistory.instant(2_000))
        history.setClock(11_000, by: -7_200)
        history.setClock(12_000, by: second)
        history.send(sent, of: 1_000)
        #expect(history.broken(until: 20_000) == rules)
    }
}
