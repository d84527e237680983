import Testing
import TminusCore

@testable import TminusDefinitions

@Suite("ids that two files define")
struct OwnershipTests {
    private func timer(_ id: String, _ duration: String) -> String {
        "timers: { \(id): { duration: \(duration) }, only-\(duration): { duration: \(duration) } }\n"
    }

    private func minutes(_ result: LoadResult, _ id: String) -> Int64? {
        guard case .timer(let timer) = result.definition(id)?.schedule else { return nil }
        return timer.duration.components.seconds / 60
    }

    @Test("at a cold start the first path holds the id; the rest of the other file applies")
    func coldStart() {
        var loader = DefinitionLoader.test()
        let result = loader.load(["a.yaml": timer("tea", "1m"), "b.yaml": timer("tea", "2m")])
        #expect(minutes(result, "tea") == 1)
        #expect(result.ids == ["only-1m", "only-2m", "tea"])
        #expect(result.files.map(\.state) == [.ok, .partial])
        #expect(
            DiagnosticText.render(result.diagnostics) == """
                config/b.yaml:1:11: error: the id 'tea' is defined in another file already; this definition is not in force
                timers: { tea: { duration: 2m }, only-2m: { duration: 2m } }
                          ^~~
                config/a.yaml:1:11: note: it is here
                timers: { tea: { duration: 1m }, only-1m: { duration: 1m } }
                          ^~~

                """)
    }

    @Test("the file that held the id first keeps it, whatever its path")
    func firstHolder() {
        var loader = DefinitionLoader.test()
        _ = loader.load(["b.yaml": timer("tea", "2m")])
        let result = loader.load(["a.yaml": timer("tea", "1m"), "b.yaml": timer("tea", "2m")])
        #expect(minutes(result, "tea") == 2)
        #expect(result.state("a.yaml") == .partial)
    }

    @Test("when the holder gives the id up, the other takes over and keeps it")
    func takeover() {
        var loader = DefinitionLoader.test()
        _ = loader.load(["b.yaml": timer("tea", "2m")])
        _ = loader.load(["a.yaml": timer("tea", "1m"), "b.yaml": timer("tea", "2m")])
        let taken = loader.load(["a.yaml": timer("tea", "1m"), "b.yaml": timer("coffee", "2m")])
        #expect(minutes(taken, "tea") == 1)
        #expect(taken.isClean)
        let back = loader.load(["a.yaml": timer("tea", "1m"), "b.yaml": timer("tea", "2m")])
        #expect(minutes(back, "tea") == 1)
    }

    @Test("a stale file still holds its ids")
    func stale() {
        var loader = DefinitionLoader.test()
        _ = loader.load(["b.yaml": timer("tea", "2m")])
        let result = loader.load(["a.yaml": timer("tea", "1m"), "b.yaml": "timers: ["])
        #expect(minutes(result, "tea") == 2)
    }

    @Test("a sink that another file holds is not in force, nor is what uses it")
    func sinks() {
        var loader = DefinitionLoader.test()
        let result = loader.load([
            "a.yaml": "sinks: { log: { shell: a } }\ntimers: { a: { duration: 1m, on-expiry: log } }",
            "b.yaml":
                "sinks: { log: { shell: b } }\ntimers: { b: { duration: 1m, on-expiry: log }, c: { duration: 1m } }",
        ])
        #expect(result.ids == ["a", "c"])
        #expect(result.state("b.yaml") == .partial)
        #expect(result.diagnostics.count == 2)
        #expect(
            result.set.sinks[SinkKey("log")]?.options
                == Node(.mapping([.init(key: "shell", value: Node(.scalar("a")))])))
    }

    @Test("of two new sinks that of the root file wins; one that was there before stays")
    func rootSinks() {
        let root = ["tminus.yaml": "sinks: { log: { shell: root } }"]
        let own = ["a.yaml": "sinks: { log: { shell: a } }\ntimers: { a: { duration: 1m, on-expiry: log } }"]
        let other = ["b.yaml": "timers: { b: { duration: 1m, on-expiry: log } }"]
        let all = root.merging(own) { $1 }.merging(other) { $1 }

        var cold = DefinitionLoader.test()
        #expect(cold.load(all).ids == ["b"])

        var warm = DefinitionLoader.test()
        #expect(warm.load(own).ids == ["a"])
        let result = warm.load(all)
        #expect(result.ids == ["a"])
        #expect(result.state("tminus.yaml") == .partial)
        #expect(result.messages.contains { $0.hasPrefix("unknown sink 'log'") })
        #expect(warm.load(root.merging(other) { $1 }).ids == ["b"])
    }
}
