import Logging
import Testing
import TminusCore
import TminusDefinitions
import TminusTestKit
import TminusWatch

@testable import TminusDaemon

@Suite("Loader")
struct LoaderTests {
    /// A directory that the test writes.
    private struct Source: DefinitionSource {
        let contents: AsyncStream<DirectoryContents>
        let send: AsyncStream<DirectoryContents>.Continuation

        init() { (contents, send) = AsyncStream.makeStream() }
        func reload() {}
    }

    private let source = Source()
    private let store = TroubledStore()
    private let engine = Mailbox<EngineInput>()
    private let board = StatusPublisher { WatchStatus() }
    private let log = LogRecord()
    private let reports = Watched<[Diagnostic]>([])
    private let zones = ManualZones(["Test/Place": "UTC0"], version: "2026a")
    private let clock = ManualClock(now: at(0))
    private let inbox = Mailbox<LoaderInput>()
    private let needs = ManualInspector()

    private var loader: Loader {
        let reports = reports
        return Loader(
            source: source, clock: clock,
            loader: DefinitionLoader(
                zones: zones, sinks: SinkRegistry([RecordingSink.self, NeedySink.self]), displayRoot: "config"),
            inbox: inbox, zoneWatch: ZoneWatch(zones, loader: inbox), needWatch: NeedWatch(needs, loader: inbox),
            store: store, engine: engine,
            status: board,
            report: { news in reports.update { $0 += news } },
            logger: log.logger)
    }

    private func contents(_ text: String?, problem: String? = nil) -> DirectoryContents {
        let problems = problem.map { [Diagnostic(.error, $0, at: SourceLocation(file: "config"))] }
        return DirectoryContents(
            root: "/config",
            files: text.map { [SourceFile(path: "a.yaml", content: .bytes(Array($0.utf8)))] } ?? [],
            problems: problems ?? [])
    }

    /// The ids that the engine gets after each of these states of the directory.
    private func sets(after states: [DirectoryContents]) async throws -> [[String]] {
        var sets: [[String]] = []
        var run = LoaderState(loader: loader.loader)
        for state in states {
            if let set = run.load(state, now: at(0)).set { sets.append(set.definitions.keys.map(\.rawValue).sorted()) }
        }
        return sets
    }

    private let tea = "timers: { tea: { duration: 4m, on-expiry: [] } }"

    @Test("a directory that cannot be read at the start does not empty the schedule")
    func unreadableRoot() async throws {
        let bad = contents(nil, problem: "the directory does not exist")
        #expect(try await sets(after: [bad, bad]) == [])
        #expect(try await sets(after: [bad, contents(tea)]) == [["tea"]])
        // Empty is another thing than unreadable.
        #expect(try await sets(after: [bad, contents(nil)]) == [[]])
        #expect(try await sets(after: [contents(nil)]) == [[]])
    }

    @Test("problems are reported once, and definitions are sent when they change")
    func changes() async throws {
        var run = LoaderState(loader: loader.loader)
        let first = run.load(contents(tea), now: at(0))
        #expect(first.set?.definitions.count == 1)
        #expect(first.news.isEmpty)
        let broken = run.load(contents(tea + "\nnonsense: 1"), now: at(0))
        #expect(broken.set == nil)
        #expect(broken.news.count == 1)
        #expect(run.load(contents(tea + "\nnonsense: 1"), now: at(0)).news.isEmpty)
        let mended = run.load(contents(tea + " # better"), now: at(0))
        #expect(mended.set == nil)
        #expect(mended.isInOrderAgain)
    }

    @Test("the loader waits for a readable directory, and logs it once")
    func service() async throws {
        let (source, engine, loader) = (source, engine, loader)
        let running = Task { try await loader.run() }
        for _ in 0..<3 { source.send.yield(contents(nil, problem: "the directory does not exist")) }
        source.send.yield(contents(tea))
        let inputs = try await Bounded.value("definitions") {
            for await _ in engine.signals { return engine.takeSchedule() }
            return []
        }
        #expect(inputs.count == 1)
        #expect(log.count(.error) == 1)
        #expect(reports.value.map(\.message) == ["the directory does not exist"])
        running.cancel()
        try await Bounded.value("the end of the loader") { try await running.value }
    }

    /// The next definitions that the engine gets.
    private func nextSet() async throws -> DefinitionSet? {
        let engine = engine
        return try await Bounded.value("definitions") {
            for await _ in engine.signals { return engine.takeSchedule().last?.set }
            return nil
        }
    }

    /// The hour in UTC at which the one event of the next definitions is.
    private func nextHour() async throws -> Int? {
        guard let set = try await nextSet() else { return nil }
        inbox.send(.inForce(generation: set.generation ?? 0))
        guard case .event(let event)? = set.definitions.values.first?.schedule else { return nil }
        return event.trigger.next(after: .distantPast).map { Zone.utc.local($0).hour }
    }

    @Test(
        "changed time zones take effect at the next scan and when the clock is set, without a change of the directory"
    )
    func zoneChange() async throws {
        let loader = loader
        let running = Task { try await loader.run() }
        source.send.yield(
            contents("events: { e: { at: 2026-12-01 09:00, timezone: Test/Place, on-expiry: [] } }"))
        #expect(try await nextHour() == 9)
        let watch = ZoneWatch(zones, loader: inbox)
        watch.look()
        zones.set("Test/Place", to: "XXX-2", version: "2026b")
        watch.look()
        #expect(try await nextHour() == 7)
        try await log.wait(for: "time zones have changed")
        #expect(board.load.zoneVersion == "2026b" && board.load.generation == 2)
        for rule in ["XXX-3", "XXX-4"] {
            zones.set("Test/Place", to: rule)
            clock.set(to: at(10))
            #expect(try await nextHour() == (rule == "XXX-3" ? 6 : 5))
        }
        let second = log.lines.first { $0.message == "definitions in force" && $0.metadata["generation"] == "2" }
        #expect(second?.metadata["tzdata"] == "2026b")
        running.cancel()
        try await Bounded.value("the end of the loader") { try await running.value }
    }

    @Test("what a sink needs and is not there is reported at load, and definitions are in force all the same")
    func needsOfSinks() async throws {
        let (loader, reports) = (loader, reports)
        needs.problems.update { $0 = [.variable("KEY"): "not there"] }
        let running = Task { try await loader.run() }
        source.send.yield(contents("sinks: { s: { needy: KEY } }\n" + tea))
        let isReported = await reports.wait(upTo: Bounded.limit) { !$0.isEmpty }
        #expect(isReported)
        #expect(reports.value.map(\.message) == ["not there"] && reports.value.first?.location.line == 1)
        #expect(board.load.isLastSuccessful && board.load.definitions == 1)
        #expect(board.load.files.first?.diagnostics.count == 1)
        running.cancel()
        try await Bounded.value("the end of the loader") { try await running.value }
    }

    @Test("the daemon fails when its source ends")
    func sourceEnds() async throws {
        source.send.yield(contents(tea))
        source.send.finish()
        let loader = loader
        await #expect(throws: DaemonError(.inputOutput, "/config: the directory is no longer watched")) {
            try await Bounded.value("the end of the loader") { try await loader.run() }
        }
    }

    /// Has a loader read these states of the directory, and waits for its end.
    private func run(_ states: [DirectoryContents]) async throws {
        for state in states { source.send.yield(state) }
        source.send.finish()
        let loader = loader
        await #expect(throws: DaemonError.self) {
            try await Bounded.value("the end of the loader") { try await loader.run() }
        }
    }

    private func keptTexts() async throws -> [String: String] {
        let files = try await store.memory.keptFiles(root: "/config").files
        return Dictionary(uniqueKeysWithValues: files.map { ($0.path, String(decoding: $0.content, as: UTF8.self)) })
    }

    @Test("the last good content of a file is stored once")
    func keeps() async throws {
        try await run([contents(tea), contents(tea), contents(tea + "\nnonsense: 1"), contents(tea)])
        #expect(try await keptTexts() == ["a.yaml": tea])
        #expect(store.calls(.keep) == 1 && store.calls(.keptFiles) == 1)
    }

    @Test("what is in force is published and logged with generation and hash, once the engine has put it in force")
    func status() async throws {
        let running = Task { [loader] in try await loader.run() }
        source.send.yield(contents(tea))
        #expect(try await nextSet()?.generation == 1)
        #expect(board.load.generation == 1 && board.inForce.generation == 0)
        inbox.send(.inForce(generation: 1))
        let egg = "timers: { egg: { duration: 6m, on-expiry: [] } }"
        source.send.yield(contents(egg))
        #expect(try await nextSet()?.generation == 2)
        #expect(board.load.generation == 2 && board.inForce.generation == 1)
        inbox.send(.inForce(generation: 2))
        try await Bounded.value("the edit in force") { [board] in
            for await _ in board.changes where board.inForce.generation == 2 { return }
        }
        source.send.yield(contents(egg + "\nnonsense: 1"))
        source.send.yield(contents(egg + " # better"))
        source.send.finish()
        await #expect(throws: DaemonError.self) {
            try await Bounded.value("the end of the loader") { try await running.value }
        }
        let status = board.inForce
        #expect(status.generation == 3 && status.isLastSuccessful)
        let lines = log.lines.filter { $0.message == "definitions in force" }
        #expect(lines.map { $0.metadata["generation"] } == ["1", "2", "3"])
        #expect(lines.last?.metadata["hash"] == status.hash)
        let stays = log.lines.filter { $0.message == "the last good content of the file stays in force" }
        #expect(stays.map { $0.metadata["file"] } == ["config/a.yaml"])
        #expect(stays.first?.metadata["definitions"] == "1")
        #expect(
            log.lines.filter { $0.message == "directory content loaded" }.map { $0.metadata["files.parsed"] } == [
                "1", "2", "3", "4",
            ])
    }

    @Test("a file that is gone is forgotten")
    func forgets() async throws {
        try await run([contents(tea), contents(nil)])
        #expect(try await keptTexts() == [:])
        #expect(store.calls(.keep) == 2)
    }

    @Test("the stored content of a file that is broken at the start is in force")
    func recalls() async throws {
        try await store.memory.keep(
            [KeptFile(path: "a.yaml", content: Array(tea.utf8))], forget: [], root: "/config", now: at(0))
        try await run([contents("timers: [")])
        guard case .definitions(let set, _)? = engine.takeSchedule().first else {
            Issue.record("no definitions")
            return
        }
        #expect(set.definitions.keys.map(\.rawValue) == ["tea"])
        #expect(reports.value.count == 1)
        #expect(store.calls(.keep) == 0)
    }

    @Test("a store that refuses content is logged once, delays no definitions, and gets the content with a later edit")
    func refusal() async throws {
        let (source, engine, loader) = (source, engine, loader)
        store.refuse(.keep)
        let running = Task { try await loader.run() }
        source.send.yield(contents(tea))
        try await store.waitForCalls(.keep, 1)
        #expect(engine.takeSchedule().count == 1)
        // Broken meanwhile: what was good is not to be had from the file any more.
        source.send.yield(contents("timers: ["))
        try await store.waitForCalls(.keep, 2)
        #expect(try await keptTexts() == [:])
        store.work()
        source.send.yield(contents("timers: [["))
        try await log.wait(for: "the content of files can be kept again")
        #expect(try await keptTexts() == ["a.yaml": tea])
        #expect(log.count(.error) == 1)
        running.cancel()
        try await Bounded.value("the end of the loader") { try await running.value }
    }

    @Test("correct files are in force although the store cannot be read")
    func noRecall() async throws {
        store.refuse(.keptFiles)
        try await run([contents(tea)])
        #expect(engine.takeSchedule().count == 1)
        #expect(log.count(.error) == 1)
        #expect(try await keptTexts() == ["a.yaml": tea])
    }
}
