import Testing
import TminusTestKit

@testable import TminusCore

/// Edits that have to wait, for a flood or for a store that refuses: from when they decide, and when they count as in force.
@Suite("Edits that wait")
struct EditInstantTests {
    private func set(_ generation: Int, _ definitions: [Definition]) -> DefinitionSet {
        var set = DefinitionSet(definitions: Dictionary(uniqueKeysWithValues: definitions.map { ($0.id, $0) }))
        set.generation = generation
        return set
    }

    private func edit(_ set: DefinitionSet, of ids: String...) -> EngineInput {
        .schedule(.changes(set, of: Set(ids.compactMap { DefinitionID($0) })))
    }

    private func fired(_ commit: Commit?) -> [String] { commit?.firings.map(\.definition.rawValue) ?? [] }

    /// An engine whose store refuses since second 10; it asks again at second 11. A timer is due then; others may be in force, too.
    private func refusing(with others: Definition...) -> EngineScript {
        let first = set(1, [.timer(.seconds(10))] + others)
        var script = EngineScript()
        script.step(.schedule(.changes(first, of: Set(first.definitions.keys))))
        script.settle()
        script.seconds = 10
        script.step(.wake)
        script.refused()
        return script
    }

    @Test("an instant that passes while an edit waits for the store is due, and not past")
    func passes() throws {
        var script = refusing()
        script.seconds = 10.25
        let edited = set(2, [.timer(.seconds(10)), .event(at: [at(10.5)])])
        #expect(script.step(edit(edited, of: "e")).generation == nil)
        script.seconds = 11
        script.step(.wake)
        #expect(fired(script.commit) == ["t"])
        script.written()
        #expect(fired(script.commit) == ["e"])
        #expect(script.commit?.omissions.isEmpty == true)
        #expect(script.written().generation == 2)
    }

    @Test("an edit counts as in force once it is written, and not before")
    func inForce() {
        var script = EngineScript()
        #expect(script.step(edit(set(1, [.timer(.seconds(60))]), of: "t")).generation == nil)
        #expect(script.refused().generation == nil)
        script.seconds = 1
        #expect(script.step(.wake).generation == nil)
        #expect(script.written().generation == 1)
    }

    @Test("an edit that needs no writing is in force at once")
    func nothingToWrite() {
        var script = EngineScript()
        let all = set(1, [.timer(.seconds(60))])
        script.step(edit(all, of: "t"))
        script.settle()
        var same = all
        same.generation = 2
        #expect(script.step(edit(same, of: "t")).generation == 2)
        #expect(script.commit == nil)
    }

    @Test("each of two edits that wait decides from its own instant, and they count as in force together")
    func twoEdits() {
        var script = refusing()
        script.seconds = 10.1
        let timer = Definition.timer(.seconds(10))
        script.step(edit(set(2, [timer, .event(id: "a", at: [at(10.5)])]), of: "a"))
        script.seconds = 10.8
        let later = set(3, [timer, .event(id: "a", at: [at(10.5)]), .event(id: "b", at: [at(10.5), at(10.9)])])
        script.step(edit(later, of: "b"))
        script.seconds = 11
        script.step(.wake)
        #expect(script.written().generation == nil)
        #expect(fired(script.commit) == ["a", "b"])
        #expect(script.commit?.omissions.map(\.definition.rawValue) == ["b"], "10.5 was past when it was written")
        #expect(script.written().generation == 3)
    }

    @Test("a definition that is edited twice while it waits decides from the second edit")
    func editedTwice() {
        var script = refusing()
        let timer = Definition.timer(.seconds(10))
        script.seconds = 10.1
        script.step(edit(set(2, [timer, .event(at: [at(10.5)])]), of: "e"))
        script.seconds = 10.7
        script.step(edit(set(3, [timer, .event(at: [at(10.6), at(10.9)])]), of: "e"))
        script.seconds = 11
        script.step(.wake)
        script.written()
        #expect(script.commit?.firings.map(\.occurrence) == [at(10.9)])
    }

    @Test("in a flood, what falls due after an edit came is decided by the edit")
    func flood() {
        var script = EngineScript()
        let flood = (0..<2_500).map { Definition.timer(.seconds(60), id: "t\($0)") }
        let all = flood + [.event(id: "x", at: [at(60.5)])]
        script.step(.schedule(.changes(set(1, all), of: Set(all.map(\.id)))))
        script.settle()
        script.seconds = 60
        script.step(.wake)
        script.seconds = 60.4
        script.step(edit(set(2, flood + [.event(id: "x", at: [at(90)])]), of: "x"))
        script.seconds = 61
        var names: [String] = []
        var generations: [Int] = []
        while script.commit != nil {
            names += fired(script.commit)
            if let generation = script.written().generation { generations.append(generation) }
        }
        #expect(names.count == 2_500 && !names.contains("x"))
        #expect(generations == [2])
    }

    @Test("an edit, and what falls due after it, come before the rest of a count that takes many turns")
    func count() throws {
        var script = EngineScript()
        var dense = Definition.event(id: "dense", at: [])
        dense.schedule = .event(Event(trigger: try .cron("* * * * * *")))
        dense.reminders = [Reminder(CalendarSpan(days: 3), actions: [Definition.sink])]
        script.step(edit(set(1, [dense]), of: "dense"))
        script.settle()
        #expect(script.step(.wake).wakeAt == at(0), "the count goes on at once")
        script.seconds = 0.5
        script.step(edit(set(2, [dense, .event(at: [at(0.7)])]), of: "e"))
        #expect(script.written().generation == 2)
        script.seconds = 0.7
        script.step(.wake)
        #expect(fired(script.commit) == ["e"])
        script.settle()
        #expect(script.step(.wake).wakeAt == at(0), "the count is not complete")
    }

    @Test("a clock that is set moves the instant from which a waiting edit decides")
    func clockSet() {
        var script = refusing()
        script.seconds = 10.5
        script.step(edit(set(2, [.timer(.seconds(10)), .timer(.seconds(5), id: "new")]), of: "new"))
        // An hour forward. The commit that was refused goes again at once.
        script.setBy = .seconds(3_600)
        script.seconds = 3_611
        script.step(.wake)
        script.settle()
        #expect(script.step(.wake).wakeAt == at(3_615.5), "five seconds after it came, and not an hour ago")
    }

    @Test("a whole set that the store kept waiting goes on as of its own instant, and a later edit as of its own")
    func editOfFirst() {
        var inputs = WaitingInputs(firstPart: 100)
        inputs.append(.definitions(set(1, [.event(at: [at(5)])])), at: at(0))
        let edited = set(2, [.event(at: [at(5)]), .timer(.seconds(1))])
        inputs.append(.changes(edited, of: [DefinitionID("t")!]), at: at(9))
        let first = inputs.popFirst(now: at(10))
        #expect(first?.instant == at(0) && first?.generation == nil)
        #expect(first?.input == .definitions(edited, except: [DefinitionID("t")!]))
        let second = inputs.popFirst(now: at(10))
        #expect(second?.instant == at(9) && second?.generation == 2 && second?.input.set?.definitions.count == 2)
        #expect(inputs.isEmpty)
    }

    @Test("a waiting definition that only moves in its file keeps its instant")
    func movedInFile() {
        var inputs = WaitingInputs(firstPart: 100)
        let event = Definition.event(at: [at(5)])
        inputs.append(.definitions(set(1, [event])), at: at(0))
        var moved = event
        moved.origin = SourceLocation(file: "other.yaml", line: 7, column: 3)
        let edited = set(2, [moved, .timer(.seconds(1))])
        inputs.append(.changes(edited, of: [event.id, DefinitionID("t")!]), at: at(9))
        let first = inputs.popFirst(now: at(10))
        #expect(first?.instant == at(0) && first?.input == .definitions(edited, except: [DefinitionID("t")!]))
        #expect(inputs.popFirst(now: at(10))?.input == .changes(edited, of: [DefinitionID("t")!]))
    }

    @Test("an edit of most of the first definitions, which wait in parts, waits in parts, too")
    func editOfParts() {
        var inputs = WaitingInputs(firstPart: 2)
        let ids = (0..<5).map { "t\($0)" }
        inputs.append(.definitions(set(1, ids.map { .timer(.seconds(1), id: $0) })), at: at(0))
        let edited = set(2, ids.map { .timer(.seconds(2), id: $0) })
        inputs.append(.changes(edited, of: Set(edited.definitions.keys)), at: at(9))
        var sizes: [Int] = []
        while let next = inputs.popFirst(now: at(10)) {
            switch next.input {
            case .definitions(_, let others): #expect(others.count == 5)
            case .changes(_, let part): sizes.append(part.count)
            default: Issue.record("nothing else waits")
            }
        }
        #expect(sizes == [2, 2, 1])
    }

    @Test("of whole sets that wait, each definition decides from its own last edit")
    func wholeSets() {
        var inputs = WaitingInputs(firstPart: 100)
        let (first, second) = (Definition.timer(.seconds(1), id: "a"), Definition.timer(.seconds(2), id: "b"))
        inputs.append(.definitions(set(1, [first])), at: at(0))
        inputs.append(.definitions(set(2, [first, second])), at: at(5))
        inputs.append(.definitions(set(3, [second])), at: at(9))
        var pops: [(instant: Timestamp, ids: [String]?, size: Int?)] = []
        while let next = inputs.popFirst(now: at(10)) {
            var ids: [String]?
            if case .changes(_, let changed) = next.input { ids = changed.map(\.rawValue) }
            pops.append((next.instant, ids, next.input.set?.definitions.count))
            #expect((next.generation == 3) == inputs.isEmpty)
        }
        #expect(pops.map(\.instant) == [at(0), at(5), at(9)])
        #expect(pops.map(\.ids) == [nil, ["b"], ["a"]])
        #expect(pops.map(\.size) == [1, 1, 1], "all have the newest set")
    }

    @Test("an edit withdraws nothing that falls due after a later edit that waited with it", arguments: [true, false])
    func withdrawnBetween(isWhole: Bool) {
        let (timer, event) = (Definition.timer(.seconds(10)), Definition.event(at: [at(10.9)]))
        var disabled = event
        disabled.isEnabled = false
        var script = refusing(with: event)
        script.seconds = 10.1
        let first = set(2, [timer, disabled])
        script.step(isWhole ? .schedule(.definitions(first)) : edit(first, of: "e"))
        script.seconds = 10.5
        script.step(edit(set(3, [timer, event]), of: "e"))
        script.seconds = 11
        script.step(.wake)
        #expect(fired(script.commit) == ["t"])
        script.written()
        #expect(fired(script.commit) == ["e"])
        #expect(script.commit?.withdrawals.isEmpty == true, "of two edits of one definition only the later one counts")
    }

    @Test("an edit that ends a definition made without a file withdraws nothing of the file's that falls due meanwhile")
    func adHocReplaced() {
        let (timer, event) = (Definition.timer(.seconds(10)), Definition.event(at: [at(10.5)]))
        var adHoc = Definition.timer(.seconds(60), id: event.id.rawValue)
        adHoc.origin = SourceLocation(file: SourceLocation.adHoc(adHoc.id))
        var script = refusing(with: adHoc)
        script.seconds = 10.1
        script.step(edit(set(2, [timer, event]), of: "e"))
        script.seconds = 11
        script.step(.wake)
        #expect(fired(script.commit) == ["t"])
        script.written()
        #expect(script.commit?.withdrawals == [Withdrawal(event.id, .removed)])
        #expect(fired(script.commit) == [], "the withdrawal would take it, too")
        script.written()
        #expect(fired(script.commit) == ["e"])
    }
}
