import Testing
import TminusTestKit

@testable import TminusCore

/// The answers to pings, from which the watchdog learns that the engine and the store work.
@Suite("Pulse of the engine")
struct PulseTests {
    private func set(_ definitions: [Definition]) -> EngineInput {
        .schedule(
            .definitions(
                DefinitionSet(definitions: Dictionary(uniqueKeysWithValues: definitions.map { ($0.id, $0) }))))
    }

    @Test("each turn that takes a ping answers it once")
    func answers() {
        var script = EngineScript()
        #expect(script.step(.wake).pulse == nil)
        #expect(script.step(.ping).pulse == Pulse())
        #expect(script.step(.wake).pulse == nil)
        #expect(script.step(.stop, .ping).pulse == Pulse(), "also while it stops")
    }

    @Test("the answer says how long the commit has been on its way, whatever happens to the wall clock")
    func commitAge() {
        var script = EngineScript()
        script.step(set([.timer(.seconds(60))]))
        #expect(script.commit != nil)
        script.seconds = 40
        #expect(script.step(.ping).pulse == Pulse(commitAge: .seconds(40)))
        script.seconds += 3_600
        script.setBy = .seconds(3_600)
        #expect(script.step(.ping).pulse == Pulse(commitAge: .seconds(40)))
        script.seconds += 10
        #expect(script.written([], .ping).pulse == Pulse(), "a commit that came back is not on its way")
    }

    @Test("every turn of a flood of 100,000 firings answers a ping")
    func flood() {
        var script = EngineScript()
        script.step(set((0..<100_000).map { .timer(.seconds(60), id: "t\($0)") }))
        script.settle()
        script.seconds = 60
        script.step(.wake)
        var turns = 0
        while script.commit?.firings.isEmpty == false {
            turns += 1
            #expect(script.written([], .ping).pulse == Pulse())
        }
        #expect(turns == 100)
    }
}
