import Testing
import TminusCore

@testable import TminusDefinitions

@Suite("sinks of other files")
struct SinkScopeTests {
    private let events = "timers: { a: { duration: 1m, on-expiry: chat } }"
    private let sinks = "sinks: { chat: { shell: x } }"

    private func chat(_ result: LoadResult) -> SinkSpec? { result.set.sinks[SinkKey("chat")] }

    @Test(
        "a sink may be named by any file, whichever file declares it", arguments: ["a.yaml", "sinks.yaml", "z/z.yaml"])
    func anywhere(path: String) {
        var loader = DefinitionLoader.test()
        let result = loader.load([path: sinks, "events.yaml": events, "sub/more.yaml": "timers: {}"])
        #expect(result.isClean && result.ids == ["a"])
        #expect(result.definition("a")?.onExpiry == [SinkKey("chat")])
        #expect(chat(result)?.directory == (path == "z/z.yaml" ? "z" : ""))
        #expect(loader.parsedFiles == 3)
    }

    @Test("files may name each other's sinks, and so may the defaults of the root file")
    func mutual() {
        var loader = DefinitionLoader.test()
        let result = loader.load([
            "a.yaml": "sinks: { one: { shell: x } }\ntimers: { a: { duration: 1m, on-expiry: two } }",
            "b.yaml":
                "sinks: { two: { shell: y } }\ntimers: { b: { duration: 1m, on-expiry: one }, c: { duration: 1m } }",
            "tminus.yaml": "defaults: { on-expiry: [two, { shell: z }] }",
        ])
        #expect(result.isClean && result.ids == ["a", "b", "c"])
        #expect(result.definition("c")?.onExpiry.first == SinkKey("two"))
        #expect(result.definition("c")?.onExpiry.allSatisfy { result.set.sinks[$0] != nil } == true)
    }

    @Test("a change of a sink's options applies at once, and no other file is decoded again")
    func options() {
        var loader = DefinitionLoader.test()
        _ = loader.load(["events.yaml": events, "sinks.yaml": sinks])
        let result = loader.load([
            "events.yaml": events, "sinks.yaml": "sinks: { chat: { shell: y }, new: { shell: z } }",
        ])
        #expect(loader.parsedFiles == 3)
        #expect(chat(result)?.options == Node(.mapping([.init(key: "shell", value: Node(.scalar("y")))])))
        #expect(result.set.sinks[SinkKey("new")] != nil)
    }

    @Test("a sink declared later completes the files that wait for it, and only those")
    func later() {
        var loader = DefinitionLoader.test()
        let other = "timers: { b: { duration: 1m } }"
        let before = loader.load(["b.yaml": other, "events.yaml": events])
        #expect(before.ids == ["b"])
        #expect(before.messages == ["unknown sink 'chat', known are: stdout"])
        let after = loader.load(["b.yaml": other, "events.yaml": events, "sinks.yaml": sinks])
        #expect(after.isClean && after.ids == ["a", "b"])
        #expect(loader.parsedFiles == 4)
    }

    @Test(
        "when a sink is removed, files that name it keep their last good content, including the sink, until it is back")
    func gone() {
        var loader = DefinitionLoader.test()
        _ = loader.load(["events.yaml": events, "sinks.yaml": sinks])
        for _ in 0..<3 {
            let result = loader.load(["events.yaml": events, "sinks.yaml": "sinks: {}"])
            #expect(result.ids == ["a"] && result.state("events.yaml") == .stale)
            #expect(chat(result)?.kind == "shell")
        }
        #expect(loader.load(["events.yaml": events]).state("events.yaml") == .stale)
        #expect(loader.parsedFiles == 4)
        #expect(loader.load(["events.yaml": events, "other.yaml": sinks]).isClean)
        let none = loader.load(["events.yaml": tea, "sinks.yaml": "sinks: {}"])
        #expect(none.isClean && chat(none) == nil)
    }

    private let tea = "timers: { tea: { duration: 4m } }"

    @Test("the sinks of an unreadable file are unknown, and files that name one of them report it")
    func unread() {
        var loader = DefinitionLoader.test()
        let one = loader.load(["events.yaml": events, "sinks.yaml": "sinks: ["])
        #expect(
            one.messages.contains(
                "unknown sink 'chat', known are: stdout; 'config/sinks.yaml' has errors, so its sinks are not known"))
        let two = loader.load(["events.yaml": events, "more.yaml": "x: [", "sinks.yaml": "sinks: ["])
        #expect(two.messages.contains { $0.hasSuffix("; 2 files have errors, so their sinks are not known") })
        let none = loader.load(["events.yaml": events, "sinks.yaml": "sinks: {}"])
        #expect(none.messages == ["unknown sink 'chat', known are: stdout"])
    }

    @Test("a sink whose declaration has errors is not in force, and the file that names it reports where")
    func broken() {
        var loader = DefinitionLoader.test()
        let bad = "sinks: { chat: { shell: x, timeout: soon }, log: { shell: y } }"
        let cold = loader.load([
            "events.yaml": events, "log.yaml": "timers: { b: { duration: 1m, on-expiry: log } }", "sinks.yaml": bad,
        ])
        #expect(cold.ids == ["b"])
        #expect(
            cold.messages.contains("the sink 'chat' is not in force: its declaration in 'config/sinks.yaml' has errors")
        )

        var warm = DefinitionLoader.test()
        _ = warm.load(["events.yaml": events, "sinks.yaml": sinks])
        let result = warm.load(["events.yaml": events + "\n", "sinks.yaml": bad])
        #expect(result.ids == ["a"] && result.state("events.yaml") == .ok && result.state("sinks.yaml") == .stale)
        #expect(chat(result)?.options == Node(.mapping([.init(key: "shell", value: Node(.scalar("x")))])))
    }

    @Test("an error elsewhere in a file does not remove its sinks for other files")
    func errorElsewhere() {
        let bad = sinks + "\ntimers: { x: { duration: never } }"
        var cold = DefinitionLoader.test()
        let result = cold.load(["events.yaml": events, "sinks.yaml": bad])
        #expect(result.ids == ["a"] && result.messages.count == 1)

        var warm = DefinitionLoader.test()
        _ = warm.load(["events.yaml": events, "sinks.yaml": sinks])
        let changed = warm.load(["events.yaml": events, "sinks.yaml": bad.replacing("shell: x", with: "shell: y")])
        #expect(changed.state("sinks.yaml") == .stale && changed.state("events.yaml") == .ok)
        #expect(chat(changed)?.options == Node(.mapping([.init(key: "shell", value: Node(.scalar("x")))])))
    }

    @Test("a thousand files that name each other's sinks are parsed once")
    func many() {
        var loader = DefinitionLoader.test()
        var files: [String: String] = [:]
        for file in 0..<1_000 {
            files["f\(file).yaml"] = """
                sinks: { s\(file): { shell: x } }
                timers: { t\(file): { duration: 1m, on-expiry: [s\((file + 1) % 1_000), s\((file + 500) % 1_000)] } }
                """
        }
        #expect(loader.load(files).isClean)
        files["f7.yaml"] = files["f7.yaml"]?.replacing("shell: x", with: "shell: y")
        #expect(loader.load(files).isClean)
        #expect(loader.parsedFiles == 1_001)
    }
}
