import Testing

@testable import TminusCore

@Suite("Steps")
struct StepTests {
    @Test("firings due at one instant come in bounded steps, each definition once")
    func boundedSteps() {
        let count = 2 * ScheduleMachine.stepLimit + 7
        let set = DefinitionSet(
            definitions: Dictionary(
                uniqueKeysWithValues: (0..<count).map {
                    let definition = Definition.timer(.seconds(10), id: "t\($0)")
                    return (definition.id, definition)
                }))
        var state = ScheduleMachine(StoreSnapshot())
        _ = state.step(.definitions(set), now: at(0))
        var sizes: [Int] = []
        var fired: Set<DefinitionID> = []
        while true {
            let effects = state.step(.due, now: at(10))
            sizes.append(effects.commit.firings.count)
            fired.formUnion(effects.commit.firings.map(\.definition))
            guard effects.isMoreDue else { break }
        }
        #expect(sizes == [ScheduleMachine.stepLimit, ScheduleMachine.stepLimit, 7])
        #expect(fired.count == count)
    }

    @Test("firings due at one instant are sorted by id, even if definitions were added between them")
    func orderOfIDs() {
        func event(_ id: String) -> Definition { .event(id: id, at: [at(10)]) }
        var scenario = Scenario(event("b"), event("d"), event("f"), event("h"))
        // The slots of these are in the order of the ids; those of later ones are not.
        var set = ["b", "d", "f", "h"]
        for (added, removed) in [("j", nil), ("c", nil), ("a", "d"), ("i", "j"), ("g", "b")] as [(String, String?)] {
            set = set.filter { $0 != removed } + [added]
            scenario.load(set.map(event), now: at(1))
            var copy = scenario
            let fired = copy.step(now: at(10)).map(\.definition.rawValue)
            #expect(fired == set.sorted())
        }
    }

    @Test("a firing that waits for its step is not missed; one due before the start is")
    func turns() {
        func fired(first: Double, then: Double) -> [Firing] {
            let definitions = (0..<ScheduleMachine.stepLimit + 5).map { Definition.event(id: "e\($0)", at: [at(10)]) }
            let set = DefinitionSet(definitions: Dictionary(uniqueKeysWithValues: definitions.map { ($0.id, $0) }))
            var state = ScheduleMachine(StoreSnapshot())
            _ = state.step(.definitions(set), now: at(0))
            let isMoreDue = state.step(.due, now: at(first)).isMoreDue
            #expect(isMoreDue)
            return state.step(.due, now: at(then)).commit.firings
        }
        let late = fired(first: 10, then: 40)
        #expect(late.count == 5 && late.allSatisfy { !$0.payload.isCatchUp && $0.notBefore == nil })
        #expect(late.allSatisfy { $0.payload.late == 30_000_000_000 })
        let missed = fired(first: 30, then: 40)
        #expect(missed.count == 5 && missed.allSatisfy(\.payload.isCatchUp))
    }

    @Test("a step that was not stored is repeated after a crash with the same delivery ids")
    func crashBeforeWriting() throws {
        let event = Definition.event(at: [at(100)], remind: [.seconds(1)])
        var scenario = Scenario(event, .timer(.seconds(98), .immediately))
        let stored = scenario.stored
        let first = scenario.step(now: at(100))
        scenario.stored = stored
        scenario.firings = []
        scenario.restart(now: at(103))
        #expect(Set(first.map(deliveryID)) == Set(scenario.firings.map(deliveryID)))
        #expect(first.count == 3)
    }

    @Test("an edit storm leaves no memory for stale entries behind")
    func compaction() {
        var scenario = Scenario()
        for round in 1...20_000 {
            scenario.load([.timer(.seconds(1_000 + round))], now: at(0))
        }
        #expect(scenario.state.queue.entryCount < 1_100)
    }

    @Test("the same firings come, however the steps are divided", arguments: 0..<20)
    func granularity(seed: Int) {
        var chance = SplitMix(seed: UInt64(seed))
        let definitions = [
            Definition.timer(.milliseconds(1_500), .immediately, id: "a", count: 40, remind: [.milliseconds(400)]),
            Definition.timer(.seconds(17), id: "b", remind: [.seconds(9), .seconds(2)]),
            Definition.event(id: "c", at: (1...9).map { at(Double($0) * 6.25) }, remind: [.seconds(7), .seconds(1)]),
        ]
        func run(_ steps: [Double]) -> Set<DeliveryID> {
            var scenario = Scenario()
            scenario.load(definitions, now: at(0))
            for step in steps { scenario.step(now: at(step)) }
            return Set(scenario.firings.map(deliveryID))
        }
        // No gap exceeds what counts as on time.
        var steps: [Double] = []
        var now = 0.0
        while now < 80 {
            now += Double(chance.next() % 4_000) / 1_000
            steps.append(now)
        }
        #expect(run(steps) == run((1...800).map { Double($0) / 10 }))
    }

    private func deliveryID(_ firing: Firing) -> DeliveryID {
        DeliveryID(
            definition: firing.definition, occurrence: firing.occurrence, action: firing.action, sink: firing.sinks[0])
    }
}

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
