import Testing
import TminusTestKit

@testable import TminusCore

/// The clock is set, or the machine sleeps, while a commit is on its way: several things wait for their turn then.
@Suite("A clock that moves with other inputs")
struct ClockInputsTests {
    private func set(_ definitions: [Definition]) -> EngineInput {
        .schedule(
            .definitions(DefinitionSet(definitions: Dictionary(uniqueKeysWithValues: definitions.map { ($0.id, $0) }))))
    }

    private func fired(_ commit: Commit?) -> [String] { commit?.firings.map(\.definition.rawValue) ?? [] }

    @Test("a sleep and a step of the clock that are noticed at once end nothing before its time", arguments: [-5, 5])
    func sleepAndStep(step: Int) {
        var script = EngineScript()
        var awake = Definition.timer(.seconds(60), id: "awake")
        awake.schedule = .timer(Timer(duration: .seconds(60), clock: .awake))
        script.step(set([awake, .timer(.seconds(60), id: "elapsed"), .timer(.seconds(5_000), id: "later")]))
        script.settle()
        script.seconds = Double(3_610 + step)
        script.slept = .seconds(3_600)
        script.setBy = .seconds(step)
        script.step(.wake)
        #expect(fired(script.commit) == ["elapsed"])
        script.settle()
        #expect(script.step(.wake).wakeAt == at(Double(3_660 + step)))
    }

    @Test("a step of the clock comes before the end of an action that is told with it")
    func stepAndEnd() throws {
        var script = EngineScript()
        script.step(set([.timer(.seconds(60), .afterAction), .timer(.seconds(600), id: "other")]))
        script.settle()
        script.seconds = 60
        script.step(.wake)
        #expect(fired(script.commit) == ["t"])
        script.seconds = 3_661
        script.setBy = .seconds(3_600)
        let end = EndedExpiry(definition: try #require(DefinitionID("t")), occurrence: at(60))
        script.written(also: { $0.endedExpiries = [end] })
        #expect(fired(script.commit).isEmpty, "the other one has 539 s left")
        script.settle()
        #expect(script.step(.wake).wakeAt == at(3_721), "the next cycle begins when the action ended")
    }

    @Test("steps of the clock that wait together are judged by the clock after all of them, and move a timer once")
    func stepsTogether() {
        var script = EngineScript()
        script.seconds = 100_000
        script.step(set([.timer(.seconds(1_000), id: "short"), .timer(.seconds(50_000), id: "long")]))
        script.settle()
        script.seconds = 101_000
        script.step(.wake)
        #expect(fired(script.commit) == ["short"])
        for step in [-20_000, -24_000] {
            script.seconds = 101_000 + Double(step)
            script.setBy = .seconds(step)
            script.step(.wake)
        }
        script.settle()
        #expect(script.step(.wake).wakeAt == at(126_000), "49,000 s from then on")
    }
}
