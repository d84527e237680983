import CPlatform
import Foundation
import Glibc
import Testing
import TminusControl
import TminusTestKit

@testable import TminusDaemon

/// Two editors and a shell write one file. `TMINUS_WRITES` is how often each does; page.md asks for 1,000.
@Suite("Several who write one file", .timeLimit(.minutes(20)))
struct ManyWritersTests {
    /// What one write put in the place of what.
    private struct Step: Sendable {
        var before: String
        var after: String
        var isShell: Bool
    }

    private struct History: Sendable {
        var steps: [Step] = []
        /// The texts of editors that were told that they lost.
        var lost: Set<String> = []
        var strange: [String] = []
    }

    private static var count: Int { Int(ProcessInfo.processInfo.environment["TMINUS_WRITES"] ?? "") ?? 40 }

    private static func text(_ writer: String, _ round: Int) -> String {
        "# \(writer) \(round)\ntimers: { tea: { duration: \(round + 1)s } }\n"
    }

    @Test("no text is overwritten by who has not read it, and each loser is told")
    func writers() async throws {
        let harness = try ControlHarness()
        let history = Watched(History())
        let first = Self.text("nobody", 0)
        try harness.save("a.yaml", first)
        try await harness.run { (_: ControlClient) async throws in
            try await withThrowingTaskGroup { group in
                for name in ["one", "two"] {
                    group.addTask { try await Self.edit(harness, name, history) }
                }
                group.addTask { try await RawSocket.blocking { try Self.rename(harness, history) } }
                try await group.waitForAll()
            }
        }
        let (steps, lost, strange) = (history.value.steps, history.value.lost, history.value.strange)
        #expect(strange.isEmpty, "\(strange.prefix(3))")
        let final = try #require(harness.text("a.yaml"))
        let replaced = Dictionary(grouping: steps, by: \.before).mapValues(\.count)
        #expect(replaced.values.allSatisfy { $0 == 1 }, "two replaced one text: \(replaced.filter { $0.value > 1 })")
        let shell = steps.filter(\.isShell)
        for step in steps where step.after != final && replaced[step.after] == nil {
            // The next text of the shell may have come while an editor, who was told that he lost, tried his.
            let next = shell.firstIndex { $0.after == step.after }.map { shell.index(after: $0) }
            let isOverwritten = next.map { $0 < shell.count && lost.contains(shell[$0].before) } ?? false
            #expect(isOverwritten, "lost: \(step.after)")
        }
        #expect(steps.contains { $0.after == final } && replaced[first] == 1)
        #expect(!lost.isEmpty && steps.contains { !$0.isShell })
    }

    /// Replaces what it has read, as the page does; who loses reads what is there now, and tries again with the next text.
    private static func edit(_ harness: ControlHarness, _ name: String, _ history: Watched<History>) async throws {
        var known = try await harness.send("GET", "/file?path=a.yaml")
        for round in 1...count {
            let (mine, tag) = (text(name, round), known.headers["etag"] ?? "")
            let answer = try await harness.send("PUT", "/file?path=a.yaml", ["if-match": tag], body: mine)
            history.update { history in
                switch answer.status {
                case 200: history.steps.append(Step(before: known.body, after: mine, isShell: false))
                case 412, 503: history.lost.insert(mine)
                default: history.strange.append("\(answer)")
                }
            }
            known = try await harness.send("GET", "/file?path=a.yaml")
            // A file that is exchanged twice while it is read.
            while known.status == 503 { known = try await harness.send("GET", "/file?path=a.yaml") }
        }
    }

    /// Puts a file in the place of another without reading it; an exchange shows what it took away.
    private static func rename(_ harness: ControlHarness, _ history: Watched<History>) throws {
        let (file, own) = (harness.file("a.yaml"), harness.directory + "/own")
        for round in 1...count {
            let mine = text("shell", round)
            try Data(mine.utf8).write(to: URL(fileURLWithPath: own))
            guard tminus_exchange(own, file) == 0 else { throw ConformanceFailure("exchange: \(errno)") }
            let taken = FileManager.default.contents(atPath: own).map { String(decoding: $0, as: UTF8.self) } ?? "-"
            history.update { $0.steps.append(Step(before: taken, after: mine, isShell: true)) }
            // Leaves the editors a random share of the turns.
            usleep(UInt32.random(in: 0...20_000))
        }
    }
}
