import Testing

@testable import TminusCore

/// Which claimed delivery begins when, and what its end means: inputs and the turns that they make, as values.
@Suite("Deliveries in hand")
struct DispatchTests {
    private func names(_ range: Range<Int>) -> [String] { range.map { "d\($0)" } }

    @Test("nothing is claimed before the definitions are known, and their commit claims")
    func firstClaim() {
        var script = EngineScript(StoreSnapshot())
        #expect(script.step(.wake, .hint).commit == nil)
        script.step(.schedule(.definitions(DefinitionSet())))
        #expect(script.commit?.claim?.limit == DispatchMachine.limit)
        #expect(script.commit?.claim?.owner == "me")
        // With one commit on its way there is no second one, and nothing wakes the engine but its return.
        let turn = script.step(.hint)
        #expect(turn.commit == nil && turn.wakeAt == nil)
    }

    @Test("a claimed delivery begins at once, and its end goes into the next commit")
    func oneDelivery() throws {
        var script = EngineScript()
        let turn = script.claim([.test("a")], sinks: [.test()])
        #expect(turn.begun == ["a"])
        #expect(turn.begin.map(\.delivery.source) == ["/tminus/test"])
        script.settle()
        script.step(script.end(try #require(turn.begin.first)))
        #expect(script.commit?.ends == ["a delivered"])
        #expect(script.commit?.isDurable == false)
    }

    @Test("an attempt carries the lateness and the remaining time of the turn that begins it")
    func attemptInstant() throws {
        var script = EngineScript()
        script.seconds = 2
        let turn = script.claim([.test("a"), .test("b")], sinks: [.test(max: 1)])
        script.settle()
        script.seconds = 90
        let next = script.step(script.end(try #require(turn.begin.first)))
        let payloads = (turn.begin + next.begin).map(\.delivery.payload)
        #expect(payloads.map(\.late) == [2_000_000_000, 90_000_000_000])
        #expect(payloads.map(\.remaining.text) == ["2 s ago", "2 min ago"])
        #expect(payloads.map(\.occurrence) == [at(0), at(0)])
    }

    @Test("a sink runs no more than it may, and the next begins when one ends, also while a commit is on its way")
    func concurrency() throws {
        var script = EngineScript()
        let turn = script.claim([.test("a"), .test("b"), .test("c")], sinks: [.test(max: 2)])
        #expect(turn.begun == ["a", "b"])
        #expect(script.commit != nil)
        let next = script.step(script.end(turn.begin[1]))
        #expect(next.begun == ["c"] && next.commit == nil)
        script.written()
        #expect(script.commit?.ends == ["b delivered"])
    }

    @Test("a quick sink claims ahead, a slow one does not")
    func ahead() throws {
        var script = EngineScript()
        var turn = script.claim([.test("a")], sinks: [.test(max: 2)])
        script.settle()
        script.seconds = 0.001
        script.step(script.end(turn.begin[0]))
        // 50 attempts of 1 ms fit into 50 ms, for each of two.
        #expect(script.commit?.claim?.room == [SinkKey("s"): 102])
        turn = script.written([.test("b")])
        script.settle()
        script.seconds = 10
        script.step(script.end(turn.begin[0]))
        #expect(script.commit?.claim?.room == [SinkKey("s"): 2])
    }

    @Test("what waits in a lane where nothing ends for a second goes back, untried")
    func stalled() throws {
        var script = EngineScript()
        let turn = script.claim([.test("a"), .test("b"), .test("c")], sinks: [.test(max: 1)])
        #expect(turn.begun == ["a"])
        script.settle()
        script.seconds = 0.5
        #expect(script.step(.wake).wakeAt == at(1))
        script.seconds = 1
        script.step(.wake)
        script.settle()
        script.step(.hint)
        #expect(script.commit?.claim?.room == [SinkKey("s"): 0])
        // The settlements were in the commits in between: nothing is left in hand but the one that runs.
        let end = script.step(script.end(turn.begin[0]))
        #expect(end.begun.isEmpty)
    }

    @Test("a claim names the labels of the machine")
    func labels() {
        let label = MachineLabel("backup")!
        var script = EngineScript(labels: [label])
        script.step(.hint)
        #expect(script.commit?.claim?.labels == [label])
    }

    @Test("of a sink with a rate limit one is claimed at a time, and one too many goes back")
    func rateLimit() throws {
        var script = EngineScript()
        let turn = script.claim([.test("a"), .test("b")], sinks: [.test(rate: "1/min")])
        #expect(turn.begun == ["a"])
        #expect(script.commit?.ends == ["b retry: its sink has a rate limit"])
        #expect(script.commit?.claim?.room == [SinkKey("s"): 0])
        script.settle()
        let idle = script.step(script.end(turn.begin[0]))
        script.settle()
        #expect((idle.wakeAt ?? script.step(.wake).wakeAt) == at(60))
        script.seconds = 60
        script.step(.wake)
        #expect(script.commit?.claim?.room == [SinkKey("s"): 1])
    }

    @Test("when a sink is edited, what waits for it goes back, and what runs may end")
    func edited() throws {
        var script = EngineScript()
        let turn = script.claim([.test("a"), .test("b")], sinks: [.test(max: 1)])
        script.settle()
        script.step(.schedule(.definitions(DefinitionSet(definitions: [:], sinks: [SinkKey("s"): .test(max: 3)]))))
        #expect(script.commit?.sinks == [.test(max: 3)])
        script.written()
        #expect(script.commit?.ends == ["b retry: its sink was edited"])
        let next = script.written([.test("b")])
        #expect(next.begun == ["b"], "the edited sink does not wait for the former one")
        let last = script.step(script.end(turn.begin[0]))
        #expect(last.close.count == 1, "the former sink is closed after its last attempt")
    }

    @Test("a delivery whose sink is gone or cannot be made is dead, and says so to its failure actions")
    func noSink() throws {
        var script = EngineScript()
        let strange = SinkSpec(name: "x", kind: "strange", options: Node(.mapping([])), directory: "/")
        let turn = script.claim(
            [.test("a", onFailure: [SinkKey("s")]), .test("b", to: "x")], sinks: [strange])
        #expect(turn.begun.isEmpty)
        #expect(
            script.commit?.ends == [
                "a dead: the sink 's' is not in the files any more", "b dead: this program cannot make the sink 'x'",
            ])
        #expect(script.commit?.settlements.first?.firings.map(\.sinks) == [[SinkKey("s")]])
        #expect(script.commit?.settlements.map(\.report) == [nil, nil], "no attempt was made")
    }

    @Test("what expires before it begins is not sent")
    func expired() throws {
        var script = EngineScript()
        let turn = script.claim([.test("a"), .test("b", expires: at(0.5))], sinks: [.test(max: 1)])
        script.settle()
        script.seconds = 0.6
        let next = script.step(script.end(turn.begin[0]))
        #expect(next.begun.isEmpty)
        script.settle()
        script.step(.hint)
        let reports = next.reports.compactMap { report -> String? in
            if case .delivery(let delivery, let outcome, _) = report {
                "\(delivery.definition) \(outcome.short)"
            } else {
                nil
            }
        }
        #expect(reports == ["b expired: it was of no more use when it could be sent"])
    }

    @Test("a running attempt that is replaced is cancelled and not repeated, unless it was delivered")
    func replaced() throws {
        for (outcome, expected) in [
            (Outcome.dead(reason: "cancelled"), "a skipped: \(Overlap.replacedReason)"), (.delivered, "a delivered"),
        ] {
            var script = EngineScript()
            let turn = script.claim([.test("a", overlap: .replace)], sinks: [.test()])
            script.settle()
            script.step(.hint)
            #expect(script.written(also: { $0.replaced = ["a"] }).cancel == turn.begin.map(\.number))
            script.settle()
            script.step(script.end(turn.begin[0], outcome))
            #expect(script.commit?.ends == [expected])
        }
    }

    @Test("a waiting delivery that is replaced is skipped without an attempt")
    func replacedWaiting() throws {
        var script = EngineScript()
        _ = script.claim([.test("a"), .test("b", overlap: .replace)], sinks: [.test(max: 1)])
        script.settle()
        script.step(.hint)
        let turn = script.written(also: { $0.replaced = ["b"] })
        #expect(turn.cancel.isEmpty)
        #expect(script.commit?.ends == ["b skipped: \(Overlap.replacedReason)"])
    }

    @Test("a waiting delivery that is withdrawn goes back to the store, which has the reason")
    func withdrawn() throws {
        var script = EngineScript()
        let turn = script.claim([.test("a"), .test("b")], sinks: [.test(max: 1)])
        script.settle()
        script.step(.hint)
        #expect(script.written(also: { $0.withdrawn = ["a", "b"] }).cancel.isEmpty, "what runs may end")
        #expect(script.commit?.ends == ["b retry: it was withdrawn"])
        script.settle()
        #expect(script.step(script.end(turn.begin[0])).begun.isEmpty)
    }

    @Test("the log announces no retry of a delivery that was withdrawn while it ran")
    func withdrawnWhileRunning() {
        var script = EngineScript()
        let turn = script.claim([.test("a")], sinks: [.test()])
        script.settle()
        script.step(.hint)
        _ = script.written(also: { $0.withdrawn = ["a"] })
        let end = script.end(turn.begin[0], .retry(at: at(5), reason: "refused"), report: .empty)
        let reported = script.step(end).reports.compactMap { report in
            if case .delivery(_, let outcome, _) = report { outcome } else { nil }
        }
        #expect(reported == [.skipped(reason: "it was withdrawn")])
        #expect(script.commit?.ends == ["a retry: refused"], "the store has the reason")
    }

    @Test("a discarded delivery is cancelled if it runs, and forgotten if it waits")
    func discarded() throws {
        var script = EngineScript()
        let (a, b) = (Delivery.test("a"), Delivery.test("b"))
        let turn = script.claim([a, b], sinks: [.test(max: 1)])
        script.settle()
        let discarded = Discarded(deliveries: [a.id, b.id], sinks: [a.sink: 2])
        #expect(script.step(.discarded(discarded)).cancel == turn.begin.map(\.number))
        #expect(script.state.dispatch.figures.count(.discarded, sink: 0) == 2)
        script.settle()
        #expect(script.step(script.end(turn.begin[0], .dead(reason: "cancelled"))).begun.isEmpty)
    }

    @Test(
        "the end of a discarded delivery is neither written nor told",
        arguments: [Outcome.delivered, .dead(reason: "cancelled")])
    func endOfDiscarded(_ outcome: Outcome) {
        var script = EngineScript()
        let discarded = Delivery.test("a")
        let turn = script.claim([discarded], sinks: [.test()])
        script.settle()
        script.step(.discarded(Discarded(deliveries: [discarded.id])))
        script.settle()
        #expect(script.step(script.end(turn.begin[0], outcome)).reports.isEmpty)
        #expect(script.commit?.ends == [])
    }

    @Test("what follows a discarded delivery begins when that has ended, because it may ignore the signal")
    func behindDiscarded() {
        var script = EngineScript()
        let first = Delivery.test("a")
        var second = first
        second.claim = Delivery.Claim(token: "second", since: at(0), expires: nil, overlap: .queue, onFailure: [])
        let turn = script.claim([first], sinks: [.test()])
        script.settle()
        script.step(.discarded(Discarded(deliveries: [first.id])))
        #expect(script.written([second, .test("b")]).begun == ["b"])
        #expect(script.commit?.ends == ["second retry: those before it take long"])
        #expect(script.commit?.settlements.first?.outcome == .retry(at: at(1), reason: "those before it take long"))
        script.settle()
        script.step(script.end(turn.begin[0], .dead(reason: "cancelled")))
        script.settle()
        #expect(script.claim([second], sinks: [.test()]).begun == ["a"])
    }

    @Test("lanes share the room that all have together, and each may run one beyond it")
    func sharedRoom() throws {
        var script = EngineScript()
        let wide = (0..<DispatchMachine.limit).map { Delivery.test("w\($0)", to: "wide") }
        let turn = script.claim(
            wide + [.test("a", to: "other"), .test("b", to: "other")],
            sinks: [.test("wide", max: 2_000), .test("other")])
        #expect(turn.begin.count == DispatchMachine.limit)
        #expect(Set(turn.begun).isSuperset(of: ["a", "b"]), "each lane in turn")
        var one = EngineScript()
        _ = one.claim(wide, sinks: [.test("wide", max: 2_000)])
        one.settle()
        one.step(.hint)
        #expect(one.commit?.claim?.room == [SinkKey("wide"): 0])
        #expect(one.commit?.claim?.limit == DispatchMachine.firmLimit - DispatchMachine.limit)
        #expect(one.written([.test("late", to: "third")], sinks: [.test("third")]).begun == ["late"])
    }

    @Test("a stop gives back what waits, begins nothing, and is over when the last end is written")
    func stop() throws {
        var script = EngineScript()
        let turn = script.claim([.test("a"), .test("b")], sinks: [.test(max: 1)])
        script.settle()
        let stopping = script.step(.stop)
        #expect(script.commit?.ends == ["b retry: the daemon stopped before it could be sent"])
        #expect(script.commit?.claim == nil && !stopping.isOver)
        script.written()
        #expect(!script.step(script.end(turn.begin[0])).isOver)
        #expect(script.commit?.ends == ["a delivered"])
        #expect(script.written().isOver)
        #expect(script.state.close().count == 1)
    }

    @Test("attempts that exceed the time of a stop are cancelled, and repeated after the next start")
    func giveUp() throws {
        var script = EngineScript()
        let turn = script.claim([.test("a")], sinks: [.test()])
        script.settle()
        script.step(.stop)
        #expect(script.step(.giveUp).cancel == turn.begin.map(\.number))
        script.step(script.end(turn.begin[0], .dead(reason: "exit status 143")))
        #expect(script.commit?.ends == ["a retry: interrupted because the daemon stopped"])
    }

    @Test("the instant of a retry follows a clock that was set since it was chosen")
    func clockSet() throws {
        var script = EngineScript()
        let turn = script.claim([.test("a")], sinks: [.test()])
        #expect(script.commit != nil)
        script.step(script.end(turn.begin[0], .retry(at: at(5), reason: "no")))
        script.seconds = 3_600
        script.setBy = .seconds(3_600)
        script.step(.wake)
        script.written()
        #expect(script.commit?.clockStep == .seconds(3_600))
        #expect(script.commit?.settlements.map(\.outcome) == [.retry(at: at(3_605), reason: "no")])
    }

    @Test("an attempt counts its retries from an instant in steady time, also if the clock was set twice meanwhile")
    func countsInSteadyTime() {
        var script = EngineScript()
        for step in [1, 2] {
            script.seconds = Double(step) * 3_600
            script.setBy = .seconds(step * 3_600)
            script.step(.wake)
        }
        #expect(script.commit?.clockStep == .seconds(3_600))
        var delivery = Delivery.test("a")
        delivery.claim.since = at(3_600)
        let turn = script.written([delivery], sinks: [.test()])
        #expect(turn.begin.map(\.delivery.claim.since) == [at(0)])
    }

    @Test("deliveries that can never be read are reported")
    func unreadable() throws {
        var script = EngineScript()
        script.step(.hint)
        let id = Delivery.test("a").id
        let turn = script.written(also: { $0.unreadable = [id] })
        let found = turn.reports.contains { if case .unreadable(id) = $0 { true } else { false } }
        #expect(found)
    }
}
