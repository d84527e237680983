import Testing
import TminusCore
import TminusWatch
import WatchTestSupport

/// That the matrix can fail.
@Suite("What the judge of the matrix finds", .serialized, .oneWatcherAtATime)
struct JudgeTests {
    private static let deadline = Timestamp(seconds: 1_000)

    private static func state(
        _ items: [String: String], hash: String? = nil, deadline: Timestamp = deadline, problem: String? = nil
    ) -> Scene.State {
        Scene.State(
            generation: 0, hash: hash ?? "\(items.sorted { $0.key < $1.key })", items: items,
            deadlines: items.mapValues { _ in deadline },
            diagnostics: problem.map { [Diagnostic(.error, $0, at: SourceLocation(file: "a.yaml"))] } ?? [], files: [],
            digests: [:], fence: nil, arrival: Timestamp(seconds: 10))
    }

    private static let before = state(["a": "old", "b": "b"])
    private static let after = state(["a": "new", "b": "b"])

    private func faults(
        _ states: Scene.State..., expecting expectation: Expectation = .changed, written: Timestamp? = nil
    ) -> [String] {
        Judge(
            before: Self.before, states: states, expectation: expectation,
            deadlines: ["a": Self.deadline, "b": Self.deadline], written: written
        ).faults
    }

    @Test("nothing, where all is as expected")
    func right() {
        #expect(faults(Self.after) == [])
        #expect(faults(expecting: .nothing) == [])
        #expect(
            faults(Self.after, expecting: .changed.with { $0.latency = .seconds(1) }, written: Timestamp(seconds: 9))
                == [])
    }

    @Test(
        "what is wrong",
        arguments: [
            ([state(["a": "new", "b": "b"], hash: "1"), after], "2 reloads"),
            ([before], "0 reloads"),
            ([state(["b": "b"]), after], "a is missing"),
            ([state(["a": "new"]), after], "b is missing"),
            ([state(["a": "half", "b": "b"]), after], "neither old nor new"),
            ([after, before], "a is old again"),
            ([before], "in force in the end"),
            ([state(["a": "new", "b": "b"], deadline: Timestamp(seconds: 1_001))], "the deadline of b moved"),
            ([state(["a": "old", "b": "b"], problem: "broken"), after], "on the way: broken"),
            ([state(["a": "new", "b": "b"], problem: "broken")], "in the end: a.yaml:0:0: broken"),
        ])
    func wrong(states: [Scene.State], text: String) {
        let judge = Judge(
            before: Self.before, states: states, expectation: .changed,
            deadlines: ["a": Self.deadline, "b": Self.deadline], written: nil)
        #expect(judge.faults.contains { $0.contains(text) })
    }

    @Test("what is too late, too soon, or not said")
    func limits() {
        let written = Timestamp(seconds: 9)
        #expect(
            faults(Self.after, expecting: .changed.with { $0.latency = .milliseconds(500) }, written: written).count
                == 1)
        #expect(
            faults(Self.after, expecting: .changed.with { $0.notBefore = .seconds(2) }, written: written).count == 1)
        #expect(faults(Self.after, expecting: .changed.with { $0.problems = ["duplicate"] }).count == 1)
    }

    @Test("a row that does not go as expected")
    func row() async throws {
        let wrong = Row.row(
            1, "another name", "item a other > t/a.yaml", .changed.with { $0.patience = .milliseconds(300) })
        let outcome = try await Driver(row: wrong, mode: .poll).run()
        guard case .failed(let faults) = outcome.result else {
            Issue.record("it passed")
            return
        }
        #expect(faults.contains { $0.contains("in vain") })
    }

    @Test("a row whose script fails, and one that cannot be prepared")
    func scripts() async throws {
        for row in [Row.row(1, "fails", "false"), Row.row(1, "is not prepared", "true", after: "false")] {
            let outcome = try await Driver(row: row, mode: .poll).run()
            guard case .failed = outcome.result else {
                Issue.record("\(row.title) passed")
                continue
            }
        }
    }

    @Test("a row for which something is missing")
    func missing() async throws {
        let row = Row.row(1, "nothing", "true", needs: .tools("no-such-tool"))
        let outcome = try await Driver(row: row, mode: .poll).run()
        #expect(outcome.result == .notRunnable("no-such-tool is not installed"))
    }
}
