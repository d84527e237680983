import Testing
import TminusCore
import TminusDefinitions
import TminusTestKit
import TminusWatch

@testable import TminusDaemon

@Suite("Status")
struct StatusTests {
    private struct Zones: ZoneDatabase {
        let names = ["UTC"]
        var systemZone: Zone { .utc }
        func zone(named name: String) -> Zone? { name == "UTC" ? .utc : nil }
    }

    private func run() -> LoaderState {
        LoaderState(
            loader: DefinitionLoader(
                zones: Zones(), sinks: SinkRegistry([RecordingSink.self]), displayRoot: "config"))
    }

    private func contents(_ files: [String: String], unreadable: [String] = []) -> DirectoryContents {
        let read = files.map { SourceFile(path: $0.key, content: .bytes(Array($0.value.utf8))) }
        let closed = unreadable.map { SourceFile(path: $0, content: .unreadable(reason: "permission denied")) }
        return DirectoryContents(root: "/config", files: (read + closed).sorted { $0.path < $1.path })
    }

    private func status(_ run: LoaderState, _ watch: WatchStatus = WatchStatus()) -> DaemonStatus {
        DaemonStatus(load: run.status, watch: watch)
    }

    private func timer(_ id: String) -> String { "timers: { \(id): { duration: 4m, on-expiry: [] } }\n" }

    @Test("the generation counts changes in force, and the hash identifies the content")
    func generations() {
        var run = run()
        #expect(status(run).generation == 0 && status(run).hash == nil)
        #expect(run.load(contents(["a.yaml": timer("a")]), now: at(0)).isNewGeneration)
        let first = status(run)
        #expect(first.generation == 1 && first.definitions == 1)
        #expect(!run.load(contents(["a.yaml": timer("a")]), now: at(1)).isNewGeneration)
        #expect(status(run).generation == 1 && status(run).hash == first.hash)
        // A comment is other content with the same meaning.
        let commented = run.load(contents(["a.yaml": timer("a") + "# why\n"]), now: at(2))
        #expect(commented.isNewGeneration && commented.set == nil)
        #expect(status(run).generation == 2 && status(run).hash != first.hash)
        _ = run.load(contents(["a.yaml": timer("a")]), now: at(3))
        #expect(status(run).generation == 3 && status(run).hash == first.hash)
        // Another name is another tree.
        _ = run.load(contents(["b.yaml": timer("a")]), now: at(4))
        #expect(status(run).hash != first.hash)
    }

    @Test("the hash depends on the tree alone, and is the documented one")
    func hash() {
        var (fresh, edited) = (run(), run())
        _ = edited.load(contents(["a.yaml": timer("x")]), now: at(0))
        _ = edited.load(contents(["a.yaml": "timers: [", "b.yaml": timer("b")]), now: at(1))
        let tree = contents(["a.yaml": timer("a"), "b.yaml": timer("b")])
        _ = edited.load(tree, now: at(2))
        _ = fresh.load(tree, now: at(100))
        #expect(fresh.status.hash == edited.status.hash)
        let parts = tree.files.flatMap { [$0.path, $0.digest] }
        #expect(fresh.status.hash == Digest128.hexadecimal(of: parts))
    }

    @Test("a broken file is stale from its first error on, and keeps the hash of what is in force")
    func stale() throws {
        var run = run()
        _ = run.load(contents(["a.yaml": timer("a"), "b.yaml": timer("b")]), now: at(0))
        let good = status(run)
        #expect(good.files.map(\.state) == [.ok, .ok] && good.isLastSuccessful && good.lastSuccess == at(0))
        let broken = run.load(contents(["a.yaml": timer("a") + "x: 1\n", "b.yaml": timer("b")]), now: at(10))
        #expect(!broken.isNewGeneration)
        _ = run.load(contents(["a.yaml": timer("a") + "y: 1\nz: 2\n", "b.yaml": timer("b")]), now: at(20))
        let bad = status(run)
        let file = try #require(bad.files.first)
        #expect(file.state == .stale && file.since == at(10) && file.errors == 2 && file.definitions == 1)
        #expect(file.firstError == SourceLocation(file: "config/a.yaml", line: 2, column: 1))
        #expect(file.hash == good.files[0].hash && bad.hash == good.hash && bad.generation == 1)
        #expect(!bad.isLastSuccessful && bad.lastAttempt == at(20) && bad.lastSuccess == at(0))
        _ = run.load(contents(["a.yaml": timer("a"), "b.yaml": timer("b")]), now: at(30))
        let mended = status(run)
        #expect(mended.files.map(\.state) == [.ok, .ok] && mended.files[0].since == nil)
        #expect(mended.isLastSuccessful && mended.generation == 1)
    }

    @Test("duplicates, parts, failures and unreadable files have states of their own")
    func states() {
        var run = run()
        _ = run.load(contents(["a.yaml": timer("a"), "u.yaml": timer("u")]), now: at(0))
        _ = run.load(
            contents(
                [
                    "a.yaml": timer("a"), "b.yaml": timer("a"), "f.yaml": "timers: [",
                    "p.yaml": "timers: { a: { duration: 1m, on-expiry: [] }, p: { duration: 1m, on-expiry: [] } }",
                ], unreadable: ["u.yaml"]), now: at(5))
        let status = status(run)
        #expect(status.files.map(\.state) == [.ok, .duplicate, .failed, .partial, .unreadable])
        #expect(status.files.map(\.definitions) == [1, 0, 0, 1, 1])
        #expect(status.files.map { $0.hash == nil } == [false, false, true, false, false])
        #expect(status.files.map(\.since) == [nil, at(5), at(5), at(5), at(5)])
    }

    @Test("an unstable change is pending, also in a new file")
    func pending() {
        var run = run()
        _ = run.load(contents(["a.yaml": timer("a")]), now: at(0))
        var watch = WatchStatus()
        watch.mode = .polling(reason: "no watches left")
        watch.pending = ["a.yaml", "new.yaml"]
        let status = status(run, watch)
        #expect(status.files.map(\.path) == ["a.yaml", "new.yaml"])
        #expect(status.files.map(\.state) == [.pending, .pending])
        #expect(status.files.map(\.definitions) == [1, 0])
        #expect(status.watch.mode == .polling(reason: "no watches left"))
    }

    @Test("an ignored file is listed with its reason")
    func ignored() {
        var run = run()
        _ = run.load(contents(["a.yaml": timer("a")]), now: at(0))
        var watch = WatchStatus()
        watch.ignored = IgnoredEntries([IgnoredEntry(path: "Notes.txt", reason: .suffix)], total: 300)
        let status = status(run, watch)
        #expect(status.files.map(\.state) == [.ignored, .ok])
        #expect(status.files[0].reason == "its name does not end with .yaml, .yml or .json")
    }

    @Test("an id that moves to another file starts a new generation although no content changed")
    func takeOver() {
        var run = run()
        let both = ["a.yaml": timer("x"), "b.yaml": timer("x")]
        _ = run.load(contents(["b.yaml": timer("x")]), now: at(0))
        _ = run.load(contents(both), now: at(1))
        let before = status(run)
        var fresh = self.run()
        _ = fresh.load(contents(both), now: at(1))
        #expect(status(fresh).hash == before.hash)
        #expect(status(fresh).files.map(\.state) == [.ok, .duplicate])
        #expect(before.files.map(\.state) == [.duplicate, .ok])
    }

    @Test("an unreadable directory at the start counts as a failed attempt")
    func unreadableRoot() {
        var run = run()
        var missing = contents([:])
        missing.problems = [Diagnostic(.error, "does not exist", at: SourceLocation(file: "/config"))]
        _ = run.load(missing, now: at(0))
        let status = status(run)
        #expect(status.generation == 0 && status.lastAttempt == at(0) && !status.isLastSuccessful)
        #expect(status.problems.count == 1)
    }
}
