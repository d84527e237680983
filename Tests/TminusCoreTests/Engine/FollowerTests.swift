import Testing

@testable import TminusCore

/// An engine without a schedule, which delivers for another machine.
@Suite("Deliveries of a follower")
struct FollowerTests {
    /// A follower that has begun.
    private func follower() -> EngineScript { EngineScript(StoreSnapshot(), isFollower: true) }

    /// The claims of these deliveries.
    private func held(_ names: [String]) -> [HeldClaim] {
        names.map {
            HeldClaim(
                token: Delivery.test($0).claim.token, delivery: Delivery.test($0).id,
                definition: Delivery.test($0).definition)
        }
    }

    @Test("it claims at once, and never writes a schedule, a sink or a step of the clock")
    func claims() {
        var script = follower()
        script.setBy = .milliseconds(20)
        script.step(.hint)
        #expect(script.commit?.claim?.isFollower == true)
        #expect(script.commit?.isDurable == false && script.commit?.clockStep == .zero)
    }

    @Test("when the clock was set it writes nothing until the leader has moved what waits in the store along with it")
    func clockSet() {
        var script = follower()
        script.step(.hint)
        script.written { $0.nextAttempt = at(300) }
        (script.setBy, script.seconds) = (.seconds(4 * 3_600), 4 * 3_600)
        let turn = script.step(.wake)
        #expect(turn.commit == nil && turn.wakeAt == at(4 * 3_600 + 10))
        script.seconds += 9
        #expect(script.step(.hint).commit == nil, "a notification does not hasten it")
        #expect(script.step(.wake).wakeAt == at(4 * 3_600 + 10))
        script.seconds += 1
        #expect(script.step(.wake).commit?.claim?.isFollower == true)
    }

    @Test(
        "when the clock was set, a store that refuses or does not answer is asked at the end of the wait",
        arguments: [60, -3_600])
    func clockSetInTrouble(_ step: Int64) {
        for error in [StoreError(.full, "full"), StoreError(.uncertain, "cut off")] {
            var script = follower()
            script.step(.hint)
            script.step(.committed(.failure(error)))
            (script.setBy, script.seconds) = (.seconds(step), Double(step))
            let turn = script.step(.wake)
            #expect(turn.commit == nil && turn.wakeAt == at(Double(step) + 10))
            script.seconds += 10
            #expect(script.step(.wake).commit?.claim != nil)
        }
    }

    @Test("an end of an attempt waits too, and is written on the new clock; a stop waits for nothing")
    func endAfterClockSet() throws {
        var script = follower()
        let turn = script.claim([.test("a")], sinks: [.test()])
        script.settle()
        (script.setBy, script.seconds) = (.seconds(3_600), 3_600)
        #expect(script.step(script.end(turn.begin[0])).commit == nil)
        #expect(script.step(.stop).commit?.settlements.count == 1)
    }

    @Test("it ends what it no longer holds, and settles none of it")
    func lost() throws {
        var script = follower()
        let turn = script.claim([.test("a"), .test("b"), .test("c"), .test("d")], sinks: [.test(max: 2)])
        #expect(turn.begun == ["a", "b"])
        script.settle()
        script.step(.hint)
        let next = script.written { $0.held = held(["b", "d"]) }
        #expect(next.cancel == [turn.begin[0].number])
        script.settle()
        // Its place is free when it has ended.
        let last = script.step(script.end(turn.begin[0]))
        #expect(last.begun == ["d"], "c was waiting, and is lost as well")
        #expect(script.commit?.settlements == [])
    }

    @Test("what it claims with the answer that tells what it holds is not lost")
    func claimedSince() {
        var script = follower()
        script.step(.hint)
        let turn = script.written([.test("a")], sinks: [.test()]) { $0.held = held([]) }
        #expect(turn.begun == ["a"] && turn.cancel == [])
    }

    @Test("a claim that the store still has, and whose end it has lost, goes back")
    func forgotten() throws {
        var script = follower()
        let turn = script.claim([.test("a"), .test("b"), .test("c")], sinks: [.test(max: 1)])
        #expect(turn.begun == ["a"])
        script.settle()
        #expect(script.step(script.end(turn.begin[0])).begun == ["b"])
        #expect(script.commit?.ends == ["a delivered"])
        // Its end is being written. That of an earlier one was lost, and what has just ended is not written yet.
        let next = script.written { $0.held = held(["b", "c", "d"]) }
        #expect(next.cancel == [])
        #expect(script.commit?.ends == ["d retry: the database lost how its last attempt ended"])
    }

    @Test("an edit of a sink comes with the next claim; what waits for the former revision goes back")
    func edited() {
        var script = follower()
        let turn = script.claim([.test("a"), .test("b")], sinks: [.test(max: 1)])
        #expect(turn.begun == ["a"])
        script.settle()
        script.step(.hint)
        let next = script.written([.test("c")], sinks: [.test(max: 3)]) { $0.held = held(["a", "b"]) }
        #expect(next.begun == ["c"])
        #expect(script.commit?.ends == ["b retry: its sink was edited"])
    }

    @Test("a delivery that its program cannot make goes back for another machine, and is not claimed for a minute")
    func unfit() {
        var script = follower()
        var spec = SinkSpec.test()
        spec.kind = "newer"
        let turn = script.claim([.test("a")], sinks: [spec])
        #expect(turn.begun == [])
        #expect(script.commit?.ends == ["a retry: the program of one machine cannot make its sink"])
        #expect(script.commit?.settlements.first?.report == nil, "that was no attempt")
        #expect(script.commit?.claim?.room == [spec.key: 0])
        script.settle()
        script.seconds = 61
        script.step(.hint)
        #expect(script.commit?.claim?.room == [:])
    }

    @Test("the leader answers a request that waits for a delivery of another machine, and looks for what became free")
    func news() throws {
        var script = EngineScript()
        let firing = Firing(
            definition: DefinitionID("t")!, occurrence: at(0), action: .test(of: .expiry, at: at(0)), due: at(0),
            payload: Delivery.test("t").payload, sinks: [SinkKey("s")])
        script.step(.request(.fire(firing, waits: true), ticket: 7))
        script.settle()
        var news = FleetNews()
        news.outcomes = [firing.targets[0].delivery: .dead(reason: "no")]
        news.definitions = [firing.definition]
        let turn = script.step(.others(news))
        #expect(turn.answers.map(\.ticket) == [7])
        #expect(turn.changed == [firing.definition])
        #expect(script.commit?.claim != nil)
    }
}
