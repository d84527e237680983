import Testing

@testable import TminusCore

@Suite("Inputs that wait")
struct WaitingInputsTests {
    @Test("a move of the clock comes first, whatever is put before it; definitions keep the instant of their reading")
    func clock() throws {
        for move in [ScheduleInput.clockStepped(by: .seconds(3_600)), .slept(for: .seconds(3_600))] {
            var inputs = WaitingInputs(firstPart: 1_000)
            inputs.append(.changes(DefinitionSet(), of: [try #require(DefinitionID("e"))]), at: at(10))
            inputs.prepend(move)
            inputs.prepend(.ended([]))
            #expect(inputs.beginsWithClock)
            #expect(inputs.popFirst(now: at(7_200))?.instant == at(7_200))
            guard case .ended = inputs.popFirst(now: at(7_200))?.input else {
                Issue.record("the end of an action comes next")
                continue
            }
            #expect(inputs.popFirst(now: at(7_200))?.instant == at(10))
            #expect(inputs.isEmpty)
        }
    }
}
