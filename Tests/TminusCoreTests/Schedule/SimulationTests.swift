import Testing

@testable import TminusCore

@Suite("Simulation")
struct SimulationTests {
    private func run(
        _ definitions: Definition..., to end: Double, outages: [Range<Timestamp>] = []
    ) -> [String] {
        let set = DefinitionSet(definitions: Dictionary(uniqueKeysWithValues: definitions.map { ($0.id, $0) }))
        var simulation = Simulation(set, from: at(0), to: at(end), outages: outages)
        var lines: [String] = []
        while let moment = simulation.next() {
            lines += moment.firings.map(\.short)
            lines += moment.omissions.map { "\($0.definition) \($0.reason.rawValue) \($0.count)" }
        }
        return lines
    }

    @Test("it fires everything up to the end, and no more")
    func plain() {
        #expect(
            run(.timer(.seconds(60), .immediately, remind: [.seconds(10)]), .event(at: [at(90), at(200)]), to: 120)
                == ["t reminder 50", "t expiry 60", "e expiry 90", "t reminder 110", "t expiry 120"])
    }

    @Test("a timer that waits for its actions continues at once")
    func afterAction() {
        #expect(
            run(.timer(.seconds(60), .afterAction), to: 180) == ["t expiry 60", "t expiry 120", "t expiry 180"])
    }

    @Test("firings due in an outage are caught up on by the policy, as after a restart")
    func outage() {
        let lines = run(
            .timer(.seconds(60), .immediately), .event(at: [at(100), at(150), at(400)]), to: 420,
            outages: [at(90)..<at(330)])
        #expect(
            lines == [
                "t expiry 60", "e expiry 150 late", "e superseded 1", "t not-caught-up 4", "t expiry 360",
                "e expiry 400",
                "t expiry 420",
            ])
    }

    @Test("outages may overlap or extend beyond the end")
    func outages() {
        let timer = Definition.timer(.seconds(60))
        #expect(run(timer, to: 100, outages: [at(10)..<at(200)]) == [])
        #expect(run(timer, to: 100, outages: [at(10)..<at(50), at(20)..<at(30)]) == ["t expiry 60"])
        #expect(run(timer, to: 100, outages: [at(20)..<at(80), at(10)..<at(63)]) == ["t expiry 60 late"])
    }
}
