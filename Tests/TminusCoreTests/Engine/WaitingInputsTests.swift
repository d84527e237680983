import Testing

@testable import TminusCore

@Suite("Inputs that wait")
struct WaitingInputsTests {
    @Test("a clock that was set, or a sleep, fires nothing that comes after definitions that wait")
    func clock() {
        for input in [ScheduleInput.clockStepped(by: .seconds(3_600)), .slept(for: .seconds(3_600))] {
            var inputs = WaitingInputs(firstPart: 1_000)
            inputs.append(.changes(DefinitionSet(), of: [DefinitionID("e")!]), at: at(10))
            inputs.prepend(input)
            #expect(inputs.popFirst(now: at(7_200))?.instant == at(10))
            #expect(inputs.popFirst(now: at(7_200))?.instant == at(10))
            inputs.prepend(input)
            #expect(inputs.popFirst(now: at(7_200))?.instant == at(7_200), "nothing waits")
        }
    }
}
