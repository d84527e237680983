import Testing

@testable import TminusCore

/// What an edit keeps from being sent is recorded: once, and in a bounded number of records.
@Suite("Occurrences that an edit keeps from being sent")
struct EditOmissionTests {
    private let hour = Duration.seconds(3_600)

    private func short(_ omissions: [Omission]) -> [String] {
        omissions.map { omission in
            let due = at(0).duration(to: omission.due).components.seconds
            return "\(omission.reason.rawValue) \(omission.action.words) \(due) x\(omission.count)"
        }
    }

    @Test("an 'at' that was past when it was first seen is recorded with its leads, once")
    func pastWhenDefined() {
        let event = Definition.event(at: [at(1_000), at(2_000)], remind: [.seconds(300)])
        var scenario = Scenario(event, now: at(10_000))
        let expected = ["past-when-defined expiry 2000 x2", "past-when-defined 5 minutes before 1700 x2"]
        #expect(short(scenario.omissions) == expected)
        #expect(scenario.omissions.allSatisfy { $0.occurrence == at(2_000) })
        scenario.restart(now: at(10_001))
        scenario.load([event.with { $0.name = "E" }], now: at(10_002))
        #expect(scenario.omissions.count == 2 && scenario.firings.isEmpty)
    }

    @Test("an occurrence edited away before it comes is recorded with the file and the generation")
    func editedAway() {
        var scenario = Scenario(.event(at: [at(10_000)], remind: [hour, .seconds(60)]))
        scenario.step(now: at(6_400))
        #expect(scenario.firings.map(\.short) == ["e reminder 6400"])
        var set = DefinitionSet()
        let moved = Definition.event(at: [at(90_000)], remind: [hour, .seconds(60)])
        set.definitions[moved.id] = moved
        set.generation = 7
        scenario.step(.definitions(set), now: at(7_000))
        // The reminder that was sent has its own end.
        #expect(short(scenario.omissions) == ["edited-away expiry 10000 x1", "edited-away 1 minute before 9940 x1"])
        #expect(scenario.omissions.allSatisfy { $0.occurrence == at(10_000) && $0.note == "test.yaml, generation 7" })
        let end = HistoryEntry(scenario.omissions[0]).end
        #expect(end == .skipped(reason: "its occurrence was edited away (test.yaml, generation 7)"))
    }

    @Test("the snoozed expiry of a definition that is removed is recorded")
    func removedWhileSnoozed() throws {
        var scenario = Scenario(.event(at: [at(1_000)]))
        scenario.step(now: at(1_000))
        try scenario.control(.snooze(for: .seconds(540)), "e", now: at(1_060))
        scenario.load([], now: at(1_100))
        #expect(short(scenario.omissions) == ["removed snoozed expiry 1600 x1"])
        #expect(scenario.omissions[0].occurrence == at(1_000))
    }

    @Test("instants that fired are neither past when defined nor edited away after an edit of the list")
    func fired() {
        var scenario = Scenario(.event(at: [at(100), at(200)]))
        scenario.step(now: at(100))
        scenario.load([.event(at: [at(100), at(200), at(300)])], now: at(150))
        #expect(scenario.omissions.isEmpty)
        scenario.load([.event(at: [at(50), at(100), at(300)])], now: at(160))
        #expect(short(scenario.omissions) == ["past-when-defined expiry 50 x1", "edited-away expiry 200 x1"])
    }

    @Test("of a rule the next occurrence is recorded, of a long list a bounded number with the count of the rest")
    func bounded() throws {
        let every = try Trigger.every("1 hour", from: "2026-05-28 20:26:40")
        let rule = Definition.event(at: []).with { $0.schedule = .event(Event(trigger: every)) }
        var scenario = Scenario(rule, now: at(10))
        scenario.load([.event(at: [at(1_000_000)])], now: at(20))
        #expect(short(scenario.omissions) == ["edited-away expiry 3600 x1"])

        let list = (1...5_000).map { at(Double($0)) }
        var long = Scenario(.event(at: list, remind: (1...200).map { .milliseconds($0) }), now: at(0))
        long.load([.event(at: [at(1_000_000)])], now: at(0.1))
        #expect(long.omissions.count == EditOmissions.recordLimit)
        let plain = EditOmissions(definition: .event(at: [at(1_000_000)]), now: at(0.1))
            .editedAway(from: .event(at: list), note: nil)
        #expect(plain.count == EditOmissions.occurrenceLimit && plain.map(\.count).reduce(0, +) == 5_000)
    }

    @Test("a disabled event has nothing that could be edited away")
    func disabled() {
        var scenario = Scenario(Definition.event(at: [at(1_000)]).with { $0.isEnabled = false })
        scenario.load([.event(at: [at(2_000)])], now: at(10))
        #expect(scenario.omissions.isEmpty)
    }

    @Test("a control is recorded with the user, the instant and the note, unless it changes nothing")
    func controls() throws {
        var machine = Scenario(.timer(.seconds(60))).state
        let id = try #require(DefinitionID("t"))
        let request = ControlRequest(id: id, control: .pause, by: "ada", note: "lunch")
        let paused = machine.step(.control(request), now: at(5))
        #expect(
            paused.commit.controls == [
                ControlRecord(definition: id, control: "pause", by: "ada", at: at(5), note: "lunch")
            ])
        #expect(machine.step(.control(request), now: at(6)).commit.controls.isEmpty)
        let all = machine.step(.controlAll(GeneralControl(.mute(until: at(90)), by: "eve", note: nil)), now: at(7))
        #expect(all.commit.controls == [ControlRecord(definition: nil, control: "mute", by: "eve", at: at(7))])
    }
}
