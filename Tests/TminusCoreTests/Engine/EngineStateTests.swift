import Testing
import TminusTestKit

@testable import TminusCore

/// The schedule and the store around the deliveries: what goes into a commit, and what follows from its return.
@Suite("Turns of the engine")
struct EngineStateTests {
    private func set(_ definitions: [Definition]) -> EngineInput {
        .schedule(
            .definitions(
                DefinitionSet(
                    definitions: Dictionary(uniqueKeysWithValues: definitions.map { ($0.id, $0) }))))
    }

    private func fired(_ commit: Commit?) -> [String] { commit?.firings.map(\.definition.rawValue) ?? [] }

    private func control(_ id: String, _ control: Control) -> EngineRequest {
        .control(ControlRequest(id: DefinitionID(id)!, control: control, by: "ada"))
    }

    @Test("a firing and the claim of its delivery are one commit, which waits for the disk")
    func firing() throws {
        var script = EngineScript()
        script.step(set([.timer(.seconds(60))]))
        script.settle()
        #expect(script.step(.wake).wakeAt == at(60))
        script.seconds = 60
        script.step(.wake)
        #expect(fired(script.commit) == ["t"])
        #expect(script.commit?.isDurable == true && script.commit?.claim != nil)
    }

    @Test("a flood is fired in commits of at most 1,000, and ended attempts go with each")
    func flood() throws {
        var script = EngineScript()
        script.step(set((0..<2_500).map { .timer(.seconds(60), id: "t\($0)") }))
        script.settle()
        let running = script.claim([.test("a")], sinks: [.test()])
        script.settle()
        script.seconds = 60
        script.step(.wake)
        var counts = [fired(script.commit).count]
        script.step(script.end(running.begin[0]))
        script.written()
        #expect(script.commit?.ends == ["a delivered"])
        while !fired(script.commit).isEmpty {
            counts.append(fired(script.commit).count)
            script.written()
        }
        #expect(counts == [1_000, 1_000, 500])
    }

    @Test("a control comes before the rest of a flood, alone in its commit")
    func controlInFlood() throws {
        var script = EngineScript()
        script.step(set((0..<2_500).map { .timer(.seconds(60), id: "t\($0)") } + [.timer(.seconds(90), id: "x")]))
        script.settle()
        script.seconds = 60
        script.step(.wake)
        script.step(.request(control("x", .pause), ticket: 7))
        script.written()
        #expect(fired(script.commit).isEmpty)
        #expect(script.commit?.schedules.map(\.id.rawValue) == ["x"])
        let turn = script.written()
        #expect(turn.answers.map(\.ticket) == [7])
        #expect(fired(script.commit).count == 1_000)
    }

    @Test("a control that the store refuses is undone and reported to its client")
    func controlRefused() throws {
        var script = EngineScript()
        script.step(set([.timer(.seconds(60), id: "x")]))
        script.settle()
        script.step(.request(control("x", .pause), ticket: 1))
        let turn = script.refused()
        #expect(turn.store == .refusesControls("no room"))
        guard case .control(.failure(.unwritten))? = turn.answers.first?.answer else {
            Issue.record("\(turn.answers)")
            return
        }
        let question = script.step(.request(.entry(DefinitionID("x")!), ticket: 2))
        guard case .entry(let entry)? = question.answers.first?.answer else {
            Issue.record("\(question.answers)")
            return
        }
        #expect(entry?.state.phase == .armed)
        script.seconds = 60
        script.step(.wake)
        #expect(fired(script.commit) == ["x"])
    }

    @Test(
        "a commit whose outcome is unknown is repeated unchanged, and then its client is answered")
    func uncertain() throws {
        var script = EngineScript()
        script.step(set([.timer(.seconds(60), id: "x")]))
        script.settle()
        script.step(.request(control("x", .pause), ticket: 1))
        let sent = try #require(script.commit)
        let turn = script.refused(.uncertain)
        #expect(turn.store == .refuses("no room"))
        #expect(turn.answers.isEmpty)
        #expect(script.commit == nil, "not at once")
        script.seconds += 1
        script.step(.wake)
        #expect(script.commit == sent)
        let end = script.written()
        #expect(end.answers.map(\.ticket) == [1])
        #expect(end.store == .works)
    }

    @Test("what the store refuses of the schedule is written again, with everything that ended meanwhile")
    func scheduleRefused() throws {
        var script = EngineScript()
        let running = script.claim([.test("a")], sinks: [.test()])
        script.settle()
        script.step(set([.timer(.seconds(60))]))
        script.settle()
        script.seconds = 60
        script.step(.wake)
        let first = script.commit
        let turn = script.refused()
        #expect(turn.store == .refuses("no room") && turn.wakeAt == at(61))
        #expect(script.step(script.end(running.begin[0])).commit == nil, "the store is left alone for a second")
        let refusal = script.step(.request(control("t", .pause), ticket: 1))
        #expect(refusal.answers.map(\.ticket) == [1], "nobody waits for a store that may be full for days")
        script.seconds = 61
        script.step(.wake)
        #expect(script.commit?.firings == first?.firings)
        #expect(script.commit?.ends == ["a delivered"])
        #expect(script.commit?.claim?.limit == 0, "what came due meanwhile is placed first")
        #expect(script.written().store == .works)
        #expect(script.commit?.claim.map { $0.limit > 0 } == true)
    }

    @Test("a commit that only claims is tried again after the store refused it, and the engine sleeps until then")
    func claimRefused() {
        var script = EngineScript()
        script.step(.hint)
        #expect(script.commit?.claim != nil)
        #expect(script.refused().wakeAt == at(1))
        script.seconds = 1
        let turn = script.step(.wake)
        #expect(turn.commit?.claim != nil)
        #expect(script.written().store == .works)
    }

    @Test("when the store answers again, the next commit does not wait")
    func storeAnswers() {
        var script = EngineScript()
        script.step(.hint)
        #expect(script.refused().wakeAt == at(1))
        #expect(script.step(.hint).commit == nil)
        script.step(.storeAnswers)
        #expect(script.commit?.claim != nil)
    }

    @Test("a claim that the store refuses together with a control is asked for again, without the control")
    func claimRefusedWithControl() {
        var script = EngineScript()
        script.step(set([.timer(.seconds(60), id: "x")]))
        script.settle()
        script.step(.hint, .request(control("x", .pause), ticket: 1))
        #expect(script.commit?.claim != nil && script.commit?.schedules.isEmpty == false)
        #expect(script.refused().answers.map(\.ticket) == [1])
        #expect(script.commit?.claim != nil && script.commit?.schedules.isEmpty == true)
        #expect(script.refused().wakeAt == at(1), "like one without a control")
        script.seconds = 1
        #expect(script.step(.wake).commit?.claim != nil)
        #expect(script.written().store == .works)
    }

    @Test("a claim is not asked for again if none was due when the control was refused")
    func noClaimDue() {
        var script = EngineScript()
        script.step(set([.timer(.seconds(60), id: "x")]))
        script.settle()
        script.step(.request(control("x", .pause), ticket: 1))
        #expect(script.commit?.claim != nil)
        script.refused()
        #expect(script.commit == nil)
    }

    @Test("the waits for a store that refuses double up to half a minute, and end when the clock is set")
    func waits() {
        var trouble = StoreTrouble()
        var now = at(0)
        var waits: [Duration] = []
        for _ in 0..<7 {
            _ = trouble.failed(StoreError(.full, "no room"), at: ClockReading(now: now, setBy: .zero))
            let until = trouble.until ?? now
            waits.append(now.duration(to: until))
            #expect(trouble.isWaiting(at: ClockReading(now: until.advanced(by: .nanoseconds(-1)), setBy: .zero)))
            #expect(!trouble.isWaiting(at: ClockReading(now: now, setBy: .seconds(1))))
            #expect(!trouble.isWaiting(at: ClockReading(now: until, setBy: .zero)))
            now = until
        }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        let first = trouble.ended()
        let again = trouble.ended()
        #expect(first && !again && trouble.until == nil)
    }

    @Test("a stop completes although the store refuses, and reports the unrecorded outcomes")
    func stopInTrouble() throws {
        var script = EngineScript()
        let turn = script.claim([.test("a")], sinks: [.test()])
        script.settle()
        script.step(.stop, script.end(turn.begin[0]))
        #expect(script.refused().isOver)
        guard case .unrecorded(1, _)? = script.state.unrecorded else {
            Issue.record("nothing is told")
            return
        }
    }

    @Test("a clock set between two commits of one flood ends no timer early")
    func clockSetInFlood() {
        var script = EngineScript()
        script.step(
            set((0..<1_500).map { .timer(.seconds(60), id: "due\($0)") } + [.timer(.seconds(90), id: "later")]))
        script.settle()
        script.seconds = 60
        script.step(.wake)
        var names = fired(script.commit)
        script.seconds = 3_660
        script.setBy = .seconds(3_600)
        var turn = script.written()
        while script.commit != nil {
            names += fired(script.commit)
            turn = script.written()
        }
        #expect(names.count == 1_500 && !names.contains("later"))
        #expect(turn.wakeAt == at(3_690))
    }

    @Test("a sleep is dealt with before what came due in it")
    func sleep() {
        var script = EngineScript()
        var awake = Definition.timer(.seconds(60), id: "awake")
        awake.schedule = .timer(Timer(duration: .seconds(60), clock: .awake))
        script.step(set([awake, .timer(.seconds(60), id: "elapsed")]))
        script.settle()
        script.seconds = 3_610
        script.slept = .seconds(3_600)
        script.step(.wake)
        #expect(fired(script.commit) == ["elapsed"])
        script.settle()
        #expect(script.step(.wake).wakeAt == at(3_660))
    }

    @Test("the first definitions are written in parts; only the last part reports removed ones")
    func parts() {
        var former = EngineScript()
        former.step(set([.timer(.seconds(60), id: "gone"), .timer(.seconds(60), id: "t0")]))
        let stored = StoreSnapshot(schedules: former.commit?.schedules ?? [])
        let all = (0..<5).map { Definition.timer(.seconds(60), id: "t\($0)") }
        var script = EngineScript(stored, firstPart: 2)
        var removed: [String] = []
        var names: [String] = []
        script.step(set(all))
        while let commit = script.commit {
            names += commit.schedules.map(\.id.rawValue)
            removed += commit.schedules.filter { $0.removed != nil }.map(\.id.rawValue)
            script.written()
        }
        #expect(removed == ["gone"])
        #expect(Set(names).union(["t0"]) == ["t0", "t1", "t2", "t3", "t4", "gone"])
        script.step(set(all))
        #expect(script.commit == nil, "the same set again changes nothing")
    }

    @Test("what an edit removes while the first definitions wait is removed, also if only the last process had it")
    func removedMeanwhile() {
        var former = EngineScript()
        former.step(set([.timer(.seconds(60), id: "gone"), .timer(.seconds(60), id: "t")]))
        var script = EngineScript(StoreSnapshot(schedules: former.commit?.schedules ?? []))
        let edited = DefinitionSet(definitions: [DefinitionID("t")!: .timer(.seconds(60), id: "t")])
        script.step([
            set([.timer(.seconds(60), id: "gone"), .timer(.seconds(60), id: "t")]),
            .schedule(.changes(edited, of: [DefinitionID("gone")!])),
        ])
        #expect(script.commit?.schedules.filter { $0.removed != nil }.map(\.id.rawValue) == ["gone"])
        #expect(script.commit?.withdrawals.map(\.definition?.rawValue) == ["gone"])
    }

    @Test("nothing is claimed before the last part of the first definitions, which may withdraw it")
    func claimsAfterParts() {
        var script = EngineScript(StoreSnapshot(), firstPart: 1_000)
        script.step(set((0..<2_500).map { .timer(.seconds(60), id: "t\($0)") }))
        var claims: [Bool] = []
        while let commit = script.commit, claims.count < 3 {
            claims.append(commit.claim != nil)
            script.written()
        }
        #expect(claims == [false, false, true])
    }

    @Test("nothing is fired while a quick sink has no room for more, and 50 ms after its last end at the latest it is")
    func saturated() {
        var script = EngineScript()
        script.step(set([.timer(.seconds(60))]))
        script.settle()
        script.seconds = 59.98
        let first = script.claim([.test("a")], sinks: [.test(max: 6)])
        script.settle()
        script.seconds += 0.000_05
        script.step(script.end(first.begin[0]))
        script.settle()
        // 1,000 attempts of 50 µs fit into 50 ms, for each of six.
        _ = script.claim((0..<5_100).map { .test("d\($0)") }, sinks: [])
        script.settle()
        script.seconds = 60
        let turn = script.step(.wake)
        #expect(script.commit?.firings.isEmpty ?? true)
        #expect(turn.wakeAt.map { at(60) < $0 && $0 < at(60.05) } == true)
        script.settle()
        script.seconds = 60.05
        script.step(.wake)
        #expect(script.commit?.firings.count == 1)
    }

    @Test("the end of an expiry for which a timer waits starts its next cycle")
    func endedExpiry() throws {
        var script = EngineScript()
        script.step(set([.timer(.seconds(60), .afterAction)]))
        script.settle()
        script.seconds = 60
        script.step(.wake)
        #expect(script.commit?.schedules.map(\.phase) == [.acting])
        script.written()
        script.settle()
        script.seconds = 70
        script.step(.hint)
        let expiry = EndedExpiry(definition: DefinitionID("t")!, occurrence: at(60))
        script.written(also: { $0.endedExpiries = [expiry] })
        #expect(script.commit?.schedules.map(\.deadline) == [at(130)])
    }

    @Test("a test that waits is answered when each of its deliveries was attempted and recorded")
    func fire() throws {
        var script = EngineScript()
        let delivery = Delivery.test("a")
        let firing = Firing(
            definition: delivery.definition, occurrence: at(0), action: .expiry, due: at(0), payload: delivery.payload,
            sinks: [delivery.sink])
        script.step(.wake)
        script.settle()
        script.step(.request(.fire(firing, waits: true), ticket: 1))
        #expect(script.commit?.firings == [firing])
        let turn = script.written([delivery], sinks: [.test()])
        #expect(turn.answers.isEmpty)
        script.settle()
        script.step(script.end(turn.begin[0], .retry(at: at(9), reason: "exit status 75")))
        let answer = script.written().answers.first
        guard answer?.ticket == 1, case .fire(.success(let outcomes))? = answer?.answer else {
            Issue.record("\(String(describing: answer))")
            return
        }
        #expect(outcomes == [delivery.id: .retry(at: at(9), reason: "exit status 75")])
    }

    /// An engine that has begun the only attempt of a test, for which ticket 1 waits.
    private func fired() throws -> (EngineScript, Attempt) {
        var script = EngineScript()
        script.step(.wake)
        script.settle()
        script.step(.schedule(.definitions(DefinitionSet(definitions: [:], sinks: [SinkKey("s"): .test()]))))
        script.settle()
        let delivery = Delivery.test("a")
        let firing = Firing(
            definition: delivery.definition, occurrence: at(0), action: .expiry, due: at(0), payload: delivery.payload,
            sinks: [delivery.sink])
        script.step(.request(.fire(firing, waits: true), ticket: 1))
        let attempt = try #require(script.written([delivery]).begin.first)
        script.settle()
        return (script, attempt)
    }

    private func outcomes(_ turn: Turn) -> [DeliveryID: Outcome]? {
        guard case .fire(.success(let outcomes))? = turn.answers.first?.answer else { return nil }
        return outcomes
    }

    @Test("a client that waits for a test gets no outcome after the sink's time limit")
    func fireWithoutEnd() throws {
        var (script, _) = try fired()
        let wakeAt = try #require(script.step(.wake).wakeAt)
        #expect(wakeAt == at(0).advanced(by: RecordingSink(Recording()).timeLimit + Firing.waitMargin))
        script.seconds = Double(at(0).duration(to: wakeAt).components.seconds)
        #expect(outcomes(script.step(.wake)) == [:])
        #expect(script.step(.wake).answers.isEmpty)
    }

    @Test("a discarded test is answered; its outcome is neither written nor reported")
    func fireAndDiscard() throws {
        var (script, attempt) = try fired()
        let id = attempt.delivery.id
        let turn = script.step(.discarded(Discarded(deliveries: [id])))
        #expect(turn.cancel == [attempt.number])
        #expect(outcomes(turn) == [id: .dead(reason: "discarded")])
        script.settle()
        let end = script.step(script.end(attempt, .dead(reason: "cancelled")))
        #expect(end.reports.isEmpty)
        #expect(script.commit?.ends ?? [] == [])
    }

    @Test("questions are answered between two commits, and refused requests are told when the engine stops")
    func requests() throws {
        var script = EngineScript()
        script.step(.hint)
        #expect(script.step(.request(.page(from: 0, limit: 10), ticket: 1)).answers.isEmpty, "a commit is on its way")
        #expect(script.written().answers.map(\.ticket) == [1])
        script.settle()
        script.step(.stop)
        let turn = script.step(.request(control("x", .pause), ticket: 2))
        guard case .control(.failure(.unwritten))? = turn.answers.first?.answer else {
            Issue.record("\(turn.answers)")
            return
        }
    }

    @Test("rows that the store had to set aside for a commit are reported")
    func setAside() {
        var script = EngineScript()
        script.step(.hint)
        let rows = [DamagedRow(table: "delivery", row: "7", reason: "the column attempt cannot be read")]
        let turn = script.written(also: { $0.setAside = rows })
        let reported = turn.reports.flatMap { report in
            if case .setAside(let rows) = report { rows } else { [DamagedRow]() }
        }
        #expect(reported == rows)
    }
}
