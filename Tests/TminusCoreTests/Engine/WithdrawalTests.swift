import Testing

@testable import TminusCore

/// What may be withdrawn, by what: the table of the article Delivery, row by row.
@Suite("Withdrawals")
struct WithdrawalTests {
    static let kinds: [FiringAction.Kind] = [.reminder, .expiry, .elapsed, .missed]

    private func withdrawn(
        _ cause: Withdrawal.Cause, isTest: Bool = false, occurrence: Timestamp = at(100)
    ) -> [FiringAction.Kind] {
        FiringAction.Kind.allCases.filter {
            Withdrawal(DefinitionID("e"), cause).reason(for: $0, isTest: isTest, occurrence: occurrence) != nil
        }
    }

    @Test("a removed definition takes its reminders along, and no expiry")
    func removed() { #expect(withdrawn(.removed) == [.reminder]) }

    @Test("a moved occurrence takes its reminders along, one that stands does not")
    func moved() {
        let event = Definition.event(at: [at(200)])
        #expect(withdrawn(.moved(.event(event))) == [.reminder])
        #expect(withdrawn(.moved(.event(event)), occurrence: at(200)) == [])
        #expect(withdrawn(.moved(.timer(deadline: at(300), now: at(50)))) == [.reminder])
        #expect(withdrawn(.moved(.timer(deadline: at(100), now: at(50)))) == [])
        #expect(withdrawn(.moved(.timer(deadline: nil, now: at(100)))) == [], "an end that is past stands")
    }

    @Test("a skip takes the reminders of its occurrence, and no others")
    func skipped() {
        #expect(withdrawn(.skipped(at(100))) == [.reminder])
        #expect(withdrawn(.skipped(at(200))) == [])
    }

    @Test("disabling and muting take everything but notices of failures")
    func silenced() {
        #expect(withdrawn(.disabled) == [.reminder, .expiry, .elapsed, .missed])
        #expect(withdrawn(.muted) == [.reminder, .expiry, .elapsed, .missed])
    }

    @Test("a test is never withdrawn")
    func tests() {
        #expect(withdrawn(.disabled, isTest: true) == [])
        #expect(withdrawn(.removed, isTest: true) == [])
    }

    /// What an edit or a control of a scenario withdraws.
    private func withdrawals(
        of definition: Definition, _ change: (inout ScheduleMachine) -> ScheduleEffects
    ) -> [Withdrawal] {
        var machine = ScheduleMachine(StoreSnapshot())
        _ = machine.step(.definitions(DefinitionSet(definitions: [definition.id: definition])), now: at(0))
        return change(&machine).commit.withdrawals
    }

    private func edit(_ definition: Definition?, of id: DefinitionID) -> (inout ScheduleMachine) -> ScheduleEffects {
        { machine in
            let set = DefinitionSet(definitions: definition.map { [id: $0] } ?? [:])
            return machine.step(.definitions(set), now: at(10))
        }
    }

    @Test("an edit of the rule withdraws by the new rule, one of the texts nothing")
    func edits() {
        let event = Definition.event(at: [at(100)])
        let later = Definition.event(at: [at(200)])
        #expect(withdrawals(of: event, edit(later, of: event.id)) == [Withdrawal(event.id, .moved(.event(later)))])
        #expect(withdrawals(of: event, edit(event.with { $0.name = "other" }, of: event.id)).isEmpty)
        #expect(
            withdrawals(of: event, edit(event.with { $0.isEnabled = false }, of: event.id))
                == [Withdrawal(event.id, .disabled)])
        #expect(withdrawals(of: event, edit(nil, of: event.id)) == [Withdrawal(event.id, .removed)])
    }

    @Test(
        "controls withdraw what they make pointless",
        arguments: [
            (Control.mute(until: at(50)), [Withdrawal.Cause.muted]),
            (.reset, [.moved(.timer(deadline: at(70), now: at(10)))]),
            (.start(adding: .seconds(60)), [.moved(.timer(deadline: at(120), now: at(10)))]),
            (.stop, [.moved(.timer(deadline: nil, now: at(10)))]), (.pause, []), (.skip, [.skipped(at(60))]),
        ] as [(Control, [Withdrawal.Cause])])
    func controls(_ control: Control, _ causes: [Withdrawal.Cause]) {
        let timer = Definition.timer(.seconds(60))
        let found = withdrawals(of: timer) { machine in
            machine.step(.control(ControlRequest(id: timer.id, control: control, by: "ada")), now: at(10))
        }
        #expect(found == causes.map { Withdrawal(timer.id, $0) })
    }

    @Test("a mute of everything covers all definitions, and taking it back brings nothing back")
    func general() {
        let timer = Definition.timer(.seconds(60))
        let muted = withdrawals(of: timer) { machine in
            machine.step(.controlAll(GeneralControl(.mute(until: at(50)), by: "ada")), now: at(10))
        }
        #expect(muted == [Withdrawal(nil, .muted)])
        let unmuted = withdrawals(of: timer) { machine in
            machine.step(.controlAll(GeneralControl(.unmute, by: "ada")), now: at(10))
        }
        #expect(unmuted.isEmpty)
    }

    @Test("a definition that is gone or disabled at a start withdraws what waited")
    func restart() {
        let event = Definition.event(at: [at(100)])
        var machine = ScheduleMachine(StoreSnapshot())
        let first = machine.step(.definitions(DefinitionSet(definitions: [event.id: event])), now: at(0))
        let stored = StoreSnapshot(schedules: first.commit.schedules)
        var next = ScheduleMachine(stored)
        #expect(
            next.step(.definitions(DefinitionSet(definitions: [:])), now: at(1)).commit.withdrawals
                == [Withdrawal(event.id, .removed)])
        next = ScheduleMachine(stored)
        let disabled = event.with { $0.isEnabled = false }
        #expect(
            next.step(.definitions(DefinitionSet(definitions: [event.id: disabled])), now: at(1)).commit.withdrawals
                == [Withdrawal(event.id, .disabled)])
    }
}

/// The engine publishes a definition when the store has written the end of one of its deliveries.
@Suite("Definitions whose deliveries end")
struct EndedDeliveryTests {
    @Test(
        "a definition has changed when the store has the end of an attempt",
        arguments: [Outcome.dead(reason: "no"), .retry(at: at(60), reason: "busy"), .delivered])
    func changed(outcome: Outcome) throws {
        var script = EngineScript()
        let delivery = Delivery.test("a")
        let turn = script.claim([delivery], sinks: [.test()])
        script.settle()
        let ended = script.step(script.end(try #require(turn.begin.first), outcome))
        #expect(ended.changed.isEmpty && script.commit?.settlements.count == 1)
        #expect(script.written().changed == [delivery.definition])
    }
}
