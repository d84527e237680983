import Logging
import Testing
import TminusCore
import TminusDefinitions
import TminusTestKit

@testable import TminusDaemon

@Suite("Loader")
struct LoaderTests {
    /// A directory in the hands of a test.
    private struct Source: DefinitionSource {
        let contents: AsyncStream<DirectoryContents>
        let send: AsyncStream<DirectoryContents>.Continuation

        init() { (contents, send) = AsyncStream.makeStream() }
        func reload() {}
    }

    private struct Zones: ZoneDatabase {
        let names = ["UTC"]
        var systemZone: Zone { .utc }
        func zone(named name: String) -> Zone? { name == "UTC" ? .utc : nil }
    }

    private let source = Source()
    private let scheduler = Mailbox<SchedulerInput>()
    private let log = LogRecord()
    private let reports = Watched<[Diagnostic]>([])

    private var loader: Loader {
        let reports = reports
        return Loader(
            source: source, clock: ManualClock(now: at(0)),
            loader: DefinitionLoader(zones: Zones(), sinks: SinkRegistry([RecordingSink.self]), displayRoot: "config"),
            scheduler: scheduler, report: { news in reports.update { $0 += news } }, logger: log.logger)
    }

    private func contents(_ text: String?, problem: String? = nil) -> DirectoryContents {
        let problems = problem.map { [Diagnostic(.error, $0, at: SourceLocation(file: "config"))] }
        return DirectoryContents(
            root: "/config",
            files: text.map { [SourceFile(path: "a.yaml", content: .bytes(Array($0.utf8)))] } ?? [],
            problems: problems ?? [])
    }

    /// What the scheduler is told of these states of the directory, one after the other.
    private func sets(after states: [DirectoryContents]) async throws -> [[String]] {
        var sets: [[String]] = []
        var run = LoaderRun(loader: loader.loader)
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

    @Test("problems are reported once, definitions are passed on when they are others")
    func changes() async throws {
        var run = LoaderRun(loader: loader.loader)
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

    @Test("the service waits for a directory that can be read, and says so once")
    func service() async throws {
        let (source, scheduler, loader) = (source, scheduler, loader)
        let running = Task { try await loader.run() }
        for _ in 0..<3 { source.send.yield(contents(nil, problem: "the directory does not exist")) }
        source.send.yield(contents(tea))
        let inputs = try await Bounded.value(within: .seconds(30), "definitions") {
            for await _ in scheduler.signals { return scheduler.takeAll() }
            return []
        }
        #expect(inputs.count == 1)
        #expect(log.count(.error) == 1)
        #expect(reports.value.map(\.message) == ["the directory does not exist"])
        running.cancel()
        try await Bounded.value(within: .seconds(30), "the end of the loader") { try await running.value }
    }

    @Test("a source that ends by itself ends the daemon with an error")
    func sourceEnds() async throws {
        source.send.yield(contents(tea))
        source.send.finish()
        let loader = loader
        await #expect(throws: DaemonError(.inputOutput, "/config: the directory is no longer watched")) {
            try await Bounded.value(within: .seconds(30), "the end of the loader") { try await loader.run() }
        }
    }
}
