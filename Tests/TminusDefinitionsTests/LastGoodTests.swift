import Testing
import TminusCore

@testable import TminusDefinitions

@Suite("last good content over a restart")
struct LastGoodTests {
    private let tea = "timers: { tea: { duration: 4m } }"
    private let other = "timers: { b: { duration: 1m } }"

    private func kept(_ files: [String: String], sinks: [SinkSpec] = []) -> KeptFiles {
        KeptFiles(files: files.map { KeptFile(path: $0.key, content: Array($0.value.utf8)) }, sinks: sinks)
    }

    private func loader(_ files: [String: String], sinks: [SinkSpec] = []) -> DefinitionLoader {
        var loader = DefinitionLoader.test()
        loader.remember(kept(files, sinks: sinks))
        return loader
    }

    private func unreadable(_ path: String, problems: [Diagnostic] = []) -> DirectoryContents {
        DirectoryContents(
            root: "/etc/tminus", files: [SourceFile(path: path, content: .unreadable(reason: "permission denied"))],
            problems: problems)
    }

    @Test("a file that is broken at the start keeps its stored definitions and sinks, and its errors are shown")
    func broken() {
        let good = "sinks: { log: { shell: x } }\ntimers: { tea: { duration: 4m, on-expiry: log } }"
        var loader = loader(["a.yaml": good, "b.yaml": other])
        let result = loader.load(["a.yaml": "timers: { tea: { duraton: 5m } }", "b.yaml": other])
        #expect(result.ids == ["b", "tea"])
        #expect(result.state("a.yaml") == .stale && result.state("b.yaml") == .ok)
        #expect(result.definition("tea")?.schedule == .timer(Timer(duration: .seconds(240))))
        #expect(result.set.sinks[SinkKey("log")]?.kind == "shell")
        #expect(result.messages.contains("unknown key 'duraton', did you mean 'duration'?"))
        #expect(result.kept.isEmpty && result.forgotten.isEmpty)
        #expect(loader.parsedFiles == 2)

        let fixed = loader.load(["a.yaml": "timers: { tea: { duration: 5m } }", "b.yaml": other])
        #expect(fixed.isClean && fixed.state("a.yaml") == .ok)
        #expect(fixed.definition("tea")?.schedule == .timer(Timer(duration: .seconds(300))))
        #expect(fixed.kept.map(\.path) == ["a.yaml"])
    }

    @Test("warnings of the file are shown, those of its stored content are not")
    func diagnostics() {
        let warned = "timers: { tea: { duration: 1m, on-expiry: [stdout, stdout] } }"
        var loader = loader(["a.yaml": warned])
        #expect(loader.load(["a.yaml": warned]).messages.count == 1)
        loader = self.loader(["a.yaml": warned])
        let result = loader.load(unreadable("a.yaml"), now: june)
        #expect(result.messages == ["cannot be read: permission denied"])
        #expect(result.ids == ["tea"] && result.state("a.yaml") == .unreadable)
        #expect(loader.load(["a.yaml": warned]).messages.count == 1)
    }

    @Test("a good file is in force as it is at the start, and stored again only if it differs")
    func good() {
        var loader = loader(["a.yaml": tea, "b.yaml": other])
        let result = loader.load(["a.yaml": tea, "b.yaml": "timers: { c: { duration: 1m } }", "c.yaml": "# nothing"])
        #expect(result.isClean && result.ids == ["c", "tea"])
        #expect(result.kept.map(\.path) == ["b.yaml", "c.yaml"] && result.forgotten.isEmpty)
        #expect(loader.parsedFiles == 3)
        #expect(loader.load(["a.yaml": tea, "b.yaml": "x: [", "c.yaml": "# nothing"]).kept.isEmpty)
    }

    @Test("a deleted file is not restored, and its stored content is dropped")
    func gone() {
        var loader = loader(["a.yaml": tea, "b.yaml": other])
        let result = loader.load(["b.yaml": other])
        #expect(result.ids == ["b"] && result.forgotten == ["a.yaml"])
        let later = loader.load(["a.yaml": "timers: [", "b.yaml": other])
        #expect(later.ids == ["b"] && later.state("a.yaml") == .failed && later.forgotten.isEmpty)
        #expect(loader.load([:]).forgotten == ["b.yaml"])
    }

    @Test("stored content that no longer decodes is ignored")
    func undecodable() {
        var loader = loader(["a.yaml": "timers: { tea: { takes: 4m } }", "b.yaml": "\u{0}"])
        let result = loader.load(["a.yaml": "timers: [", "b.yaml": other])
        #expect(result.ids == ["b"] && result.state("a.yaml") == .failed)
        #expect(result.diagnostics.allSatisfy { !$0.message.contains("takes") })
        // The same content, so the errors are those of the file itself.
        loader = self.loader(["a.yaml": "timers: { tea: { takes: 4m } }"])
        let same = loader.load(["a.yaml": "timers: { tea: { takes: 4m } }"])
        #expect(same.state("a.yaml") == .failed && same.messages.contains { $0.contains("takes") })
    }

    @Test("an unreadable directory at the start neither consumes nor drops the stored content")
    func unreadableRoot() {
        var loader = loader(["a.yaml": tea])
        let problem = Diagnostic(.error, "the directory cannot be read", at: SourceLocation(file: "/etc/tminus"))
        let waiting = loader.load(DirectoryContents(root: "/etc/tminus", problems: [problem]), now: june)
        #expect(waiting.files.isEmpty && waiting.forgotten.isEmpty)
        #expect(loader.load(["a.yaml": "timers: ["]).ids == ["tea"])
    }

    @Test("an unreadable subdirectory at the start keeps its stored content until it can be read")
    func unreadableSubdirectory() {
        var loader = loader(["a.yaml": tea, "sub/b.yaml": other, "subtle/c.yaml": "timers: { c: { duration: 1m } }"])
        var contents = DirectoryContents(["a.yaml": tea])
        contents.problems = [
            Diagnostic(.error, "the directory cannot be read", at: SourceLocation(file: "/etc/tminus/sub"))
        ]
        for _ in 0..<2 {
            let result = loader.load(contents, now: june)
            #expect(result.ids == ["b", "tea"] && result.state("sub/b.yaml") == .unreadable)
            #expect(result.forgotten.isEmpty)
        }
        let readable = loader.load(["a.yaml": tea])
        #expect(readable.ids == ["tea"] && readable.forgotten == ["sub/b.yaml", "subtle/c.yaml"])
    }

    @Test("a file that names a sink no longer declared behaves the same after a restart")
    func goneSink() {
        let events = "timers: { a: { duration: 1m, on-expiry: [chat, stdout] } }"
        var before = DefinitionLoader.test()
        _ = before.load(["events.yaml": events, "sinks.yaml": "sinks: { chat: { shell: x } }"])
        let edited = ["events.yaml": events, "sinks.yaml": "sinks: {}"]
        let last = before.load(edited)
        #expect(last.ids == ["a"] && last.state("events.yaml") == .stale)

        var after = loader(edited, sinks: last.set.sinks.values.filter { $0.name != nil })
        let result = after.load(edited)
        #expect(result.set == last.set && result.state("events.yaml") == .stale)
        #expect(result.messages == last.messages)
        // Fixed by an edit of either file.
        let fixed = after.load(edited.merging(["sinks.yaml": "sinks: { chat: { shell: y } }"]) { $1 })
        #expect(fixed.isClean)
        // A sink that is not in use is not restored.
        #expect(after.load(["events.yaml": tea, "sinks.yaml": "sinks: {}"]).set.sinks[SinkKey("chat")] == nil)
    }

    @Test("an id stays with the file that owned it")
    func ownership() {
        var loader = loader(["b.yaml": tea])
        let result = loader.load(["a.yaml": "timers: { tea: { duration: 9m } }", "b.yaml": tea])
        #expect(result.definition("tea")?.schedule == .timer(Timer(duration: .seconds(240))))
        #expect(result.state("a.yaml") == .duplicate)
    }

    @Test("the stored defaults of a broken root file apply to the other files")
    func defaults() {
        let root = "defaults: { timezone: Asia/Tokyo }"
        let event = "events: { e: { at: 2026-12-01 12:00 } }"
        var loader = loader(["a.yaml": event, "tminus.yaml": root])
        let result = loader.load(["a.yaml": event, "tminus.yaml": root + "\nx: 1"])
        #expect(result.state("a.yaml") == .ok && result.state("tminus.yaml") == .stale)
        #expect(result.definition("e")?.zone.name == "Asia/Tokyo")
        #expect(loader.parsedFiles == 2)
    }

    @Test("after an edit of one of 1,000 files, only that file is stored")
    func many() {
        var files: [String: String] = [:]
        for file in 0..<1_000 { files["f\(file).yaml"] = "timers: { t\(file): { duration: 1m } }" }
        var loader = DefinitionLoader.test()
        #expect(loader.load(files).kept.count == 1_000)
        files["f7.yaml"] = "timers: { t7: { duration: 2m } }"
        #expect(loader.load(files).kept == [KeptFile(path: "f7.yaml", content: Array((files["f7.yaml"] ?? "").utf8))])
        #expect(loader.load(files).kept.isEmpty)
    }
}
