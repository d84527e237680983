import Testing
import TminusCore
import TminusDefinitions
import TminusTestKit

@testable import TminusDaemon

@Suite("Review of what sinks need")
struct NeedReviewTests {
    private let zones = ManualZones(["Test/Place": "UTC0"], version: "2026a")
    private let key = SinkNeed.Thing.variable("KEY")
    private let token = SinkNeed.Thing.variable("TOKEN")

    private func state() -> LoaderState {
        LoaderState(
            loader: DefinitionLoader(zones: zones, sinks: SinkRegistry([NeedySink.self]), displayRoot: "config"))
    }

    private func contents(_ files: [String: String]) -> DirectoryContents {
        DirectoryContents(
            root: "/config",
            files: files.sorted { $0.key < $1.key }
                .map { SourceFile(path: $0.key, content: .bytes(Array("sinks: { s: { needy: \($0.value) } }".utf8))) })
    }

    private func warnings(_ state: LoaderState) -> [String] {
        state.status.files.flatMap(\.diagnostics).map { "\($0.location.line):\($0.location.column) \($0.message)" }
    }

    @Test("the needs of new files are open until they are looked for, and what is missing is in the status")
    func review() {
        var state = state()
        _ = state.load(contents(["a.yaml": "KEY"]), now: at(0))
        #expect(state.uninspected == [key] && warnings(state).isEmpty)
        let news = state.inspected([key], [key: "not there"])
        #expect(news.map(\.message) == ["not there"] && news.first?.severity == .warning)
        #expect(warnings(state) == ["1:22 not there"] && state.uninspected.isEmpty)
        #expect(state.missing == [key: "not there"])
        #expect(state.inspected([key], [key: "not there"]).isEmpty, "it is said once")
        #expect(state.inspected([key], [:]).isEmpty && warnings(state).isEmpty && state.missing.isEmpty)
    }

    @Test("only the needs of changed files are open again, and those of removed files are forgotten")
    func edits() {
        var state = state()
        _ = state.load(contents(["a.yaml": "KEY"]), now: at(0))
        _ = state.inspected([key], [key: "not there"])
        _ = state.load(contents(["a.yaml": "KEY", "b.yaml": "OTHER"]), now: at(0))
        #expect(state.uninspected == [.variable("OTHER")] && warnings(state).contains("1:22 not there"))
        _ = state.load(contents(["a.yaml": "TOKEN"]), now: at(0))
        #expect(state.uninspected == [token] && warnings(state).isEmpty && state.missing.isEmpty)
        _ = state.load(contents([:]), now: at(0))
        #expect(state.uninspected.isEmpty)
    }

    @Test("what is missing is looked for again, and only a change is told")
    func watch() {
        let inbox = Mailbox<LoaderInput>()
        let inspector = ManualInspector()
        let watch = NeedWatch(inspector, loader: inbox)
        watch.look()
        watch.inspect([key])
        #expect(inbox.takeAll().count == 1)
        inspector.problems.update { $0 = [key: "not there"] }
        watch.follow([key: "not there"])
        watch.look()
        #expect(inbox.takeAll().isEmpty)
        inspector.problems.update { $0 = [:] }
        watch.look()
        guard case .inspected(let things, let problems)? = inbox.takeAll().first else {
            Issue.record("the loader is not told that it is there")
            return
        }
        #expect(things == [key] && problems.isEmpty)
    }
}
