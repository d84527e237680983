import Testing
import TminusCore

@testable import TminusDefinitions

@Suite("definition loader")
struct LoaderTests {
    private let tea = "timers: { tea: { duration: 4m } }"

    @Test("a broken file keeps its last good definitions and sinks, the others are applied")
    func lastGood() {
        var loader = DefinitionLoader.test()
        let a = "sinks: { log: { shell: logger } }\ntimers: { a: { duration: 1m, on-expiry: log } }"
        _ = loader.load(["a.yaml": a, "b.yaml": "timers: { b: { duration: 1m } }"])
        let result = loader.load(["a.yaml": a + "\nx: 1", "b.yaml": "timers: { c: { duration: 1m } }"])
        #expect(result.ids == ["a", "c"])
        #expect(result.state("a.yaml") == .stale)
        #expect(result.set.sinks[SinkKey("log")]?.kind == "shell")
        #expect(result.messages.count == 1)
        #expect(loader.load(["a.yaml": a, "b.yaml": ""]).ids == ["a"])
    }

    @Test("on the first start a broken file is ignored")
    func coldStart() {
        var loader = DefinitionLoader.test()
        let result = loader.load(["a.yaml": "timers: [", "b.yaml": tea])
        #expect(result.ids == ["tea"])
        #expect(result.state("a.yaml") == .failed)
        #expect(result.files.map(\.definitionCount) == [0, 1])
    }

    @Test("a file with the same digest is not parsed again")
    func digest() {
        var loader = DefinitionLoader.test()
        let files = ["a.yaml": tea, "b.yaml": "timers: [", "tminus.yaml": "defaults: { timezone: UTC }"]
        let first = loader.load(files)
        #expect(loader.parsedFiles == 3)
        let second = loader.load(files)
        #expect(loader.parsedFiles == 3)
        #expect(first.diagnostics == second.diagnostics)
        #expect(first.set == second.set)
        _ = loader.load(files.merging(["a.yaml": tea + " "]) { $1 })
        #expect(loader.parsedFiles == 4)
    }

    @Test("a changed root file makes the others decode again, a comment in it does not")
    func rootChange() {
        var loader = DefinitionLoader.test()
        let event = "events: { e: { at: 2026-12-01 12:00, on-expiry: log } }"
        let root = "defaults: { timezone: Europe/Berlin }\nsinks: { log: { shell: logger } }"
        let first = loader.load(["a.yaml": event, "tminus.yaml": root])
        #expect(first.isClean)
        #expect(first.definition("e")?.zone.name == "Europe/Berlin")
        _ = loader.load(["a.yaml": event, "tminus.yaml": "# more\n" + root])
        #expect(loader.parsedFiles == 3)
        let moved = root.replacing("Europe/Berlin", with: "Asia/Tokyo")
        #expect(loader.load(["a.yaml": event, "tminus.yaml": moved]).definition("e")?.zone.name == "Asia/Tokyo")
        #expect(loader.parsedFiles == 5)
    }

    @Test("a file's own defaults override those of the root file")
    func defaults() {
        var loader = DefinitionLoader.test()
        let result = loader.load([
            "a.yaml": """
            defaults: { timezone: Asia/Tokyo, labels: { b: own }, on-expiry: [] }
            events: { e: { at: 2026-12-01, labels: { c: "3" } } }
            """,
            "tminus.yaml": """
            defaults: { timezone: UTC, labels: { a: root, b: root }, remind: 1 day, on-reminder: [{ shell: x }] }
            """,
        ])
        #expect(result.isClean)
        let definition = result.definition("e")
        #expect(definition?.zone.name == "Asia/Tokyo")
        #expect(definition?.labels == ["a": "root", "b": "own", "c": "3"])
        #expect(definition?.onExpiry == [])
        #expect(definition?.reminders.map(\.lead) == [CalendarSpan(days: 1)])
        #expect(definition?.reminders.first?.actions.first?.rawValue.hasPrefix("shell:") == true)
    }

    @Test("the directory of a sink is that of its file; built-in stdout is shared by all files")
    func directories() {
        var loader = DefinitionLoader.test()
        let result = loader.load([
            "sub/dir/a.yaml": "sinks: { log: { shell: x } }\n" + tea,
            "b.yaml": "timers: { b: { duration: 1m } }",
        ])
        #expect(result.set.sinks[SinkKey("log")]?.directory == "sub/dir")
        #expect(result.set.sinks[SinkKey("stdout")]?.directory == "")
    }

    @Test(
        "the same files in another config directory are the same definitions, with the same keys and revisions of sinks"
    )
    func moved() {
        let text = "sinks: { log: { shell: ./x } }\ntimers: { b: { duration: 1m, on-expiry: [log, shell: ./y] } }"
        func set(_ root: String) -> DefinitionSet {
            let file = SourceFile(path: "sub/a.yaml", content: .bytes(Array(text.utf8)))
            var loader = DefinitionLoader.test()
            return loader.load(DirectoryContents(root: root, files: [file]), now: Timestamp(seconds: 0)).set
        }
        let (here, there) = (set("/etc/tminus"), set("/home/me/config"))
        #expect(here.sinks.count == 2 && here == there)
        #expect(here.sinks.values.map(\.revision).sorted() == there.sinks.values.map(\.revision).sorted())
    }

    @Test("a broken root file keeps its last good defaults and sinks in force for all")
    func staleRoot() {
        var loader = DefinitionLoader.test()
        let a = "timers: { a: { duration: 1m, on-expiry: chat } }"
        let root = "sinks: { chat: { shell: x } }"
        _ = loader.load(["a.yaml": a, "tminus.yaml": root])
        let result = loader.load(["a.yaml": a + "\n", "tminus.yaml": root + "\nbad: 1"])
        #expect(result.ids == ["a"])
        #expect(result.state("a.yaml") == .ok)
        #expect(result.state("tminus.yaml") == .stale)
    }

    @Test("two root files are an error; the first stays the root")
    func twoRoots() {
        var loader = DefinitionLoader.test()
        let yaml = ["tminus.yaml": tea]
        _ = loader.load(yaml)
        let result = loader.load(yaml.merging(["tminus.json": "{\"timers\": {\"x\": {\"duration\": \"1m\"}}}"]) { $1 })
        #expect(result.ids == ["tea"])
        #expect(result.state("tminus.json") == .failed)
        #expect(result.messages == ["'config/tminus.yaml' is the root file already; remove one of the two"])
        #expect(loader.load(["tminus.json": "{\"timers\": {\"x\": {\"duration\": \"1m\"}}}"]).ids == ["x"])
    }

    @Test("a deleted file takes its definitions with it, an emptied one warns")
    func removal() {
        var loader = DefinitionLoader.test()
        _ = loader.load(["a.yaml": tea, "b.yaml": "timers: { b: { duration: 1m } }"])
        let result = loader.load(["b.yaml": "# nothing\n"])
        #expect(result.ids.isEmpty)
        #expect(result.isClean)
        #expect(result.messages == ["no definitions are left in this file, 1 removed"])
    }

    @Test("an unreadable file keeps its definitions and is not parsed again when it returns unchanged")
    func unreadable() {
        var loader = DefinitionLoader.test()
        _ = loader.load(["a.yaml": tea])
        let gone = SourceFile(path: "a.yaml", content: .unreadable(reason: "permission denied"))
        let result = loader.load(DirectoryContents(root: "/etc/tminus", files: [gone]), now: june)
        #expect(result.ids == ["tea"])
        #expect(result.state("a.yaml") == .unreadable)
        #expect(
            DiagnosticText.render(result.diagnostics) == "config/a.yaml: error: cannot be read: permission denied\n")
        #expect(loader.load(["a.yaml": tea]).state("a.yaml") == .ok)
        #expect(loader.parsedFiles == 1)
    }

    @Test("moving lines, reordering keys and editing comments changes only positions")
    func meaning() {
        var loader = DefinitionLoader.test()
        let one = loader.load(["a.yaml": "timers: { tea: { duration: 4m, on-expiry: [{ shell: x, timeout: 1s }] } }"])
        let two = loader.load([
            "a.yaml": "# x\ntimers:\n  tea:\n    on-expiry:\n      - timeout: 1s\n        shell: x\n    duration: 4m"
        ])
        #expect(one.definition("tea")?.onExpiry == two.definition("tea")?.onExpiry)
        #expect(Set(one.set.sinks.keys) == Set(two.set.sinks.keys))
    }

    @Test("diagnostics are sorted by file, line and column")
    func order() {
        var loader = DefinitionLoader.test()
        let bad = "timers:\n  b: { duraton: 1m, nme: x }\n  a: { duration: 0 }"
        let result = loader.load(["b.yaml": bad, "a.yaml": bad])
        let places = result.diagnostics.map(\.location)
        #expect(places == places.sorted())
        #expect(places.first?.file == "config/a.yaml")
        #expect(places.count == 6)
    }

    @Test("a hundred files of a hundred definitions are parsed once")
    func many() {
        var loader = DefinitionLoader.test()
        var files: [String: String] = [:]
        for file in 0..<100 {
            let lines = (0..<100).map { "  t\(file)-\($0): { duration: \($0 + 1)m, remind: 1m }" }
            files["f\(file).yaml"] = "timers:\n" + lines.joined(separator: "\n")
        }
        let result = loader.load(files)
        #expect(result.set.definitions.count == 10_000)
        _ = loader.load(files)
        #expect(loader.parsedFiles == 100)
    }
}
