import Testing

@testable import TminusCore

@Suite("what an edit would change")
struct SetComparisonTests {
    private func set(_ definitions: Definition..., sinks: [SinkSpec] = []) -> DefinitionSet {
        DefinitionSet(
            definitions: Dictionary(uniqueKeysWithValues: definitions.map { ($0.id, $0) }),
            sinks: Dictionary(uniqueKeysWithValues: sinks.map { ($0.key, $0) }))
    }

    private func compare(
        _ old: DefinitionSet, _ new: DefinitionSet, _ states: [ScheduleState] = [], limit: Int = 5,
        horizon: Timestamp? = nil
    ) -> SetComparison {
        SetComparison(from: old, to: new, states: states, now: at(0), limit: limit, horizon: horizon)
    }

    /// Changes as `+ 60 expiry`, in seconds from now.
    private func short(_ changes: [FiringChange]?) -> [String] {
        func seconds(_ firing: ComingFiring) -> Int64 { at(0).duration(to: firing.due).nanoseconds / 1_000_000_000 }
        return (changes ?? []).map { change in
            switch change {
            case .added(let firing): "+ \(seconds(firing)) \(firing.action.rawValue)"
            case .removed(let firing): "- \(seconds(firing)) \(firing.action.rawValue)"
            case .moved(let from, let to): "\(seconds(from)) > \(seconds(to)) \(to.action.rawValue)"
            }
        }
    }

    @Test("a change of positions in the files is no difference")
    func same() {
        let timer = Definition.timer(.seconds(60))
        let moved = timer.with { $0.origin = SourceLocation(file: "other.yaml", line: 9) }
        let comparison = compare(set(timer), set(moved))
        #expect(comparison.isEmpty)
        #expect(comparison.unchanged == 1)
    }

    @Test("added and removed definitions have their firings")
    func singles() {
        let old = Definition.event(id: "old", at: [at(100)], remind: [.seconds(10)])
        let new = Definition.timer(.seconds(60), .immediately, id: "new")
        let comparison = compare(set(old), set(new), limit: 2)
        #expect(comparison.removed.first?.firings.map(\.due) == [at(90), at(100)])
        #expect(comparison.added.first?.firings.map(\.due) == [at(60), at(120)])
        #expect(comparison.added.first?.isResumed == false)
    }

    @Test("an edited schedule moves firings; the countdown continues from its start, as in the scheduler")
    func moved() {
        var scenario = Scenario(.timer(.seconds(60)), now: at(-20))
        scenario.step(now: at(-20))
        let states = Array(scenario.stored.values)
        let comparison = compare(set(.timer(.seconds(60))), set(.timer(.seconds(90))), states)
        #expect(comparison.changed.first?.aspects == [.schedule])
        #expect(short(comparison.changed.first?.changes) == ["40 > 70 expiry"])
        // Shorter than the elapsed time, so it starts anew.
        let shorter = compare(set(.timer(.seconds(60))), set(.timer(.seconds(10))), states)
        #expect(short(shorter.changed.first?.changes) == ["40 > 10 expiry"])
    }

    @Test(
        "only added, removed and moved firings are changes; one at the same instant is none"
    )
    func leads() {
        let old = Definition.event(at: [at(100), at(200)], remind: [.seconds(10), .seconds(20)])
        let new = Definition.event(at: [at(100), at(250)], remind: [.seconds(10), .seconds(30)])
        #expect(
            short(compare(set(old), set(new), limit: 10).changed.first?.changes) == [
                "+ 70 before:PT30S", "- 80 before:PT20S", "- 180 before:PT20S", "190 > 240 before:PT10S",
                "200 > 250 expiry", "+ 220 before:PT30S",
            ])
    }

    /// How many of the changes are moves, additions and removals.
    private func counts(_ changes: [FiringChange]?) -> [Int] {
        let texts = short(changes)
        return [">", "+ ", "- "].map { sign in texts.count { $0.contains(sign) } }
    }

    @Test("a move is one change, wherever the window ends", arguments: 1...7)
    func movedInWindow(limit: Int) {
        let leads = [604_800, 86_400, 3_600, 1_800, 300].map { Duration.seconds($0) }
        // The longest lead of the earlier instant is past, so the two windows end at different actions.
        let early = Definition.event(at: [at(600_000)], remind: leads)
        let late = Definition.event(at: [at(1_200_000)], remind: leads)
        let later = compare(set(early), set(late), limit: limit).changed.first?.changes
        #expect(counts(later) == [min(limit, 5), 1, 0], "\(short(later))")
        let earlier = compare(set(late), set(early), limit: limit).changed.first?.changes
        #expect(counts(earlier) == [min(limit, 5), 0, 1], "\(short(earlier))")
        let beyond = compare(set(early), set(late), limit: limit, horizon: at(600_000)).changed.first?.changes
        #expect(counts(beyond) == [min(limit, 5), 1, 0], "\(short(beyond))")
    }

    @Test("an occurrence that exists on both sides never counts as moved, though one window reaches further")
    func thinned() throws {
        func every(_ interval: String) throws -> Definition {
            let bounds = TriggerBounds(start: .instant(at(0)))
            let trigger = try EveryTrigger(CalendarSpan.parse(interval).get(), in: .utc, bounds: bounds)
            return Definition.event(at: [], remind: [.seconds(60)]).with {
                $0.schedule = .event(Event(trigger: .every(trigger)))
            }
        }
        let (often, rarely) = (try every("1h"), try every("2h"))
        #expect(
            short(compare(set(often), set(rarely), limit: 4).changed.first?.changes) == [
                "- 3540 before:PT1M", "- 3600 expiry",
            ])
        #expect(
            short(compare(set(rarely), set(often), limit: 4).changed.first?.changes) == [
                "+ 3540 before:PT1M", "+ 3600 expiry",
            ])
    }

    @Test("firings beyond the end of a forecast are not compared")
    func cutOff() {
        let old = Definition.timer(.seconds(100), .immediately)
        let new = Definition.timer(.seconds(100), .immediately, remind: [.seconds(10)])
        #expect(
            short(compare(set(old), set(new), limit: 4).changed.first?.changes)
                == ["+ 90 before:PT10S", "+ 190 before:PT10S"])
        #expect(short(compare(set(old), set(new), horizon: at(150)).changed.first?.changes) == ["+ 90 before:PT10S"])
    }

    @Test("changes of texts, actions and schedule are distinguished")
    func aspects() {
        let timer = Definition.timer(.seconds(60), remind: [.seconds(5)])
        func aspects(_ change: (inout Definition) -> Void) -> [SetComparison.Aspect]? {
            let comparison = compare(set(timer), set(timer.with(change)))
            return comparison.changed.first?.aspects
        }
        #expect(aspects { $0.name = "other" } == [.text])
        #expect(aspects { $0.labels = ["a": "b"] } == [.text])
        #expect(aspects { $0.onExpiry = ["other"].map { SinkKey($0) } } == [.actions])
        #expect(aspects { $0.reminders[0].actions = ["other"].map { SinkKey($0) } } == [.actions])
        #expect(aspects { $0.isEnabled = false } == [.schedule])
        #expect(aspects { $0.reminders = [] } == [.schedule])
    }

    @Test("a definition that returns resumes from its kept state")
    func resumed() {
        var scenario = Scenario(.timer(.seconds(60)), now: at(-20))
        scenario.load([], now: at(-10))
        let comparison = compare(set(), set(.timer(.seconds(60))), Array(scenario.stored.values))
        #expect(comparison.added.first?.isResumed == true)
        #expect(comparison.added.first?.firings.map(\.due) == [at(40)])
    }

    @Test("running actions of a timer are assumed to end now")
    func acting() {
        var scenario = Scenario(.timer(.seconds(60), .afterAction), now: at(-70))
        scenario.step(now: at(-10))
        let state = Array(scenario.stored.values)
        #expect(state.first?.phase == .acting)
        let same = compare(set(.timer(.seconds(60), .afterAction)), set(), state, limit: 2)
        #expect(same.removed.first?.firings.map(\.due) == [at(60), at(120)])
    }

    @Test("declared sinks are compared by content, built-in sinks are ignored")
    func sinks() {
        func sink(_ name: String, _ kind: String, in directory: String) -> SinkSpec {
            SinkSpec(name: name, kind: kind, options: Node(.mapping([])), directory: directory)
        }
        let comparison = compare(
            set(sinks: [sink("a", "shell", in: "/x"), sink("b", "shell", in: "/x"), sink("stdout", "stdout", in: "/")]),
            set(sinks: [sink("b", "shell", in: "/y"), sink("c", "shell", in: "/x")]))
        #expect(comparison.removedSinks == ["a"])
        #expect(comparison.changedSinks == ["b"])
        #expect(comparison.addedSinks == ["c"])
    }
}
