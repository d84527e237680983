import Testing
import TminusControl
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

    private func timer(_ id: String) -> String { "timers: { \(id): { duration: 4m, on-expiry: [] } }\n" }

    @Test("the generation counts changes in force, and the hash identifies the content")
    func generations() {
        var run = run()
        #expect(run.status.generation == 0 && run.status.hash == nil)
        _ = run.load(contents(["a.yaml": timer("a")]), now: at(0))
        let first = run.status
        #expect(first.generation == 1 && first.definitions == 1)
        _ = run.load(contents(["a.yaml": timer("a")]), now: at(1))
        #expect(run.status.generation == 1 && run.status.hash == first.hash)
        // A comment is other content with the same meaning.
        let commented = run.load(contents(["a.yaml": timer("a") + "# why\n"]), now: at(2))
        #expect(commented.set == nil)
        #expect(run.status.generation == 2 && run.status.hash != first.hash)
        _ = run.load(contents(["a.yaml": timer("a")]), now: at(3))
        #expect(run.status.generation == 3 && run.status.hash == first.hash)
        // Another name is another tree.
        _ = run.load(contents(["b.yaml": timer("a")]), now: at(4))
        #expect(run.status.hash != first.hash)
    }

    @Test("a load is in force once the engine has the last definitions that it got, and that is told once")
    func inForce() {
        var run = run()
        _ = run.load(contents(["a.yaml": timer("a")]), now: at(0))
        #expect(!run.isInForce, "the engine has not stored it yet")
        run.inForce(generation: 1)
        let isTold = run.takeInForce()
        #expect(isTold)
        _ = run.load(contents(["a.yaml": timer("b")]), now: at(1))
        _ = run.load(contents(["a.yaml": timer("c")]), now: at(2))
        run.inForce(generation: 2)
        #expect(!run.isInForce, "only the first of the two")
        // A comment has nothing to do with the engine, but it comes after what waits.
        _ = run.load(contents(["a.yaml": timer("c") + "# why\n"]), now: at(3))
        #expect(!run.isInForce)
        run.inForce(generation: 3)
        let (first, second) = (run.takeInForce(), run.takeInForce())
        #expect(first && !second)
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
        let good = run.status
        #expect(good.files.map(\.state) == [.ok, .ok] && good.isLastSuccessful && good.lastSuccess == at(0))
        _ = run.load(contents(["a.yaml": timer("a") + "x: 1\n", "b.yaml": timer("b")]), now: at(10))
        #expect(run.status.generation == good.generation)
        _ = run.load(contents(["a.yaml": timer("a") + "y: 1\nz: 2\n", "b.yaml": timer("b")]), now: at(20))
        let bad = run.status
        let row = try #require(bad.rows(WatchStatus()).first)
        #expect(row.state == "stale" && row.since == at(10).rfc3339 && row.errors == 2 && row.definitions == 1)
        #expect(row.place == .init(line: 2, column: 1))
        #expect(bad.files[0].digest == good.files[0].digest && bad.hash == good.hash && bad.generation == 1)
        #expect(!bad.isLastSuccessful && bad.lastAttempt == at(20) && bad.lastSuccess == at(0))
        _ = run.load(contents(["a.yaml": timer("a"), "b.yaml": timer("b")]), now: at(30))
        let mended = run.status
        #expect(mended.files.map(\.state) == [.ok, .ok] && mended.since.isEmpty)
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
        let status = run.status
        #expect(status.files.map(\.state) == [.ok, .duplicate, .failed, .partial, .unreadable])
        #expect(status.files.map(\.definitionCount) == [1, 0, 0, 1, 1])
        #expect(status.files.map { $0.digest == nil } == [false, false, true, false, false])
        let since = at(5).rfc3339
        #expect(status.rows(WatchStatus()).map(\.since) == [nil, since, since, since, since])
    }

    @Test("an unstable change is pending, also in a new file")
    func pending() {
        var run = run()
        _ = run.load(contents(["a.yaml": timer("a")]), now: at(0))
        var watch = WatchStatus()
        watch.mode = .polling(reason: "no watches left")
        watch.pending = ["a.yaml", "new.yaml"]
        let rows = run.status.rows(watch)
        #expect(rows.map(\.path) == ["a.yaml", "new.yaml"])
        #expect(rows.map(\.state) == ["pending", "pending"])
        #expect(rows.map(\.definitions) == [1, 0])
        #expect(StatusAnswer.Watching(watch.mode).text == "polling: no watches left")
    }

    @Test("an ignored file is listed with its reason")
    func ignored() {
        var run = run()
        _ = run.load(contents(["a.yaml": timer("a")]), now: at(0))
        var watch = WatchStatus()
        watch.ignored = IgnoredEntries([IgnoredEntry(path: "Notes.txt", reason: .suffix)], total: 300)
        let rows = run.status.rows(watch)
        #expect(rows.map(\.state) == ["ignored", "ok"])
        #expect(rows[0].reason == "suffix" && rows[0].message == "its name does not end with .yaml, .yml or .json")
    }

    @Test("an id that moves to another file starts a new generation although no content changed")
    func takeOver() {
        var run = run()
        let both = ["a.yaml": timer("x"), "b.yaml": timer("x")]
        _ = run.load(contents(["b.yaml": timer("x")]), now: at(0))
        _ = run.load(contents(both), now: at(1))
        let before = run.status
        var fresh = self.run()
        _ = fresh.load(contents(both), now: at(1))
        #expect(fresh.status.hash == before.hash)
        #expect(fresh.status.files.map(\.state) == [.ok, .duplicate])
        #expect(before.files.map(\.state) == [.duplicate, .ok])
    }

    @Test("an unreadable directory at the start counts as a failed attempt")
    func unreadableRoot() {
        var run = run()
        var missing = contents([:])
        missing.problems = [Diagnostic(.error, "does not exist", at: SourceLocation(file: "/config"))]
        _ = run.load(missing, now: at(0))
        let status = run.status
        #expect(status.generation == 0 && status.lastAttempt == at(0) && !status.isLastSuccessful)
        #expect(status.problems.count == 1)
    }
}
