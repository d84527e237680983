import Dispatch
import HTTPTypes
import Testing
import TminusControl
import TminusCore
import TminusTestKit
import TminusTooling

@testable import TminusDaemon

@Suite("Editing of definition files")
struct FileEditingTests {
    private func condition(_ match: String?, _ noneMatch: String? = nil) throws -> WriteCondition {
        var headers = HTTPFields()
        headers[.ifMatch] = match
        headers[.ifNoneMatch] = noneMatch
        return try WriteCondition(headers)
    }

    @Test("the condition of a request is read as it is meant, also after a proxy that compresses")
    func conditions() throws {
        #expect(try condition(nil) == .unknown)
        #expect(try condition(nil, "*") == .absent)
        #expect(try condition("\"a\"") == .matches(["\"a\""]))
        #expect(try condition("W/\"a\", \"b\"") == .matches(["\"a\"", "\"b\""]))
        for text in ["a", "\"", "\"a", "a\"", ",", "\"a\" b"] {
            #expect(throws: Problem.self, "\(text)") { try condition(text) }
        }
    }

    @Test("a file that another changes between check and exchange keeps the other's text")
    func changedBetween() async throws {
        let harness = try ControlHarness()
        try harness.save("a.yaml", "timers: { tea: { duration: 3m } }\n")
        let desk = harness.api().files
        let draft = try await desk.work(now: at(0)) { files in
            try FileDraft("a.yaml", Array("timers: { tea: { duration: 4m } }\n".utf8), .unknown, files)
        }
        try harness.save("a.yaml", "timers: { tea: { duration: 5m } }\n")
        #expect(try !draft.write())
        #expect(harness.text("a.yaml") == "timers: { tea: { duration: 5m } }\n")
        // The same for a file that is new.
        let new = try await desk.work(now: at(0)) { files in
            try FileDraft("b.yaml", Array("timers: {}\n".utf8), .absent, files)
        }
        try harness.save("b.yaml", "# other\n")
        #expect(try !new.write())
        #expect(harness.text("b.yaml") == "# other\n")
    }

    @Test("a file with errors is compared by its last good content, which is in force")
    func lastGood() async throws {
        let harness = try ControlHarness()
        try harness.save("a.yaml", "timers: { tea: { duration: soon } }\n")
        let good = Array("timers: { tea: { duration: 3m } }\n".utf8)
        let kept = KeptFiles(files: [KeptFile(path: "a.yaml", content: good)])
        let desk = harness.api().files
        let draft = try await desk.work(kept: kept, now: at(0)) { files in
            try FileDraft("a.yaml", Array("timers: { tea: { duration: 4m } }\n".utf8), .unknown, files)
        }
        #expect(draft.check.errors.isEmpty)
        #expect(draft.check.summary.changed == ["tea"] && draft.check.summary.added.isEmpty)
    }

    @Test("work on files is done one piece after another, and too much of it is refused")
    func thread() async throws {
        let thread = FileThread()
        let (running, most, gate) = (Watched(0), Watched(0), DispatchSemaphore(value: 0))
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    let done = try? await thread.run {
                        let now = running.update { count in
                            count += 1
                            return count
                        }
                        most.update { $0 = max($0, now) }
                        gate.wait()
                        running.update { $0 -= 1 }
                        return true
                    }
                    return done ?? false
                }
            }
            // The first refusals come while the first piece waits; then all that was taken may go on.
            var outcomes: [Bool] = []
            for await outcome in group {
                outcomes.append(outcome)
                if outcomes.count == 1 { for _ in 0..<40 { gate.signal() } }
            }
            return outcomes
        }
        #expect(outcomes.contains(true) && outcomes.contains(false))
        #expect(most.value == 1)
        // It goes on after it had nothing to do.
        #expect(try await thread.run { 7 } == 7)
    }
}
