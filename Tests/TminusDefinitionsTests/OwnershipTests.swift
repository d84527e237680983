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

    @Test("at a cold start the first path owns the id; the rest of the other file is applied")
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

    @Test("the file that owned the id first keeps it, whatever its path")
    func firstHolder() {
        var loader = DefinitionLoader.test()
        _ = loader.load(["b.yaml": timer("tea", "2m")])
        let result = loader.load(["a.yaml": timer("tea", "1m"), "b.yaml": timer("tea", "2m")])
        #expect(minutes(result, "tea") == 2)
        #expect(result.state("a.yaml") == .partial)
    }

    @Test("when the owner drops the id, the other file takes over and keeps it")
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

    @Test("a stale file still owns its ids")
    func stale() {
        var loader = DefinitionLoader.test()
        _ = loader.load(["b.yaml": timer("tea", "2m")])
        let result = loader.load(["a.yaml": timer("tea", "1m"), "b.yaml": "timers: ["])
        #expect(minutes(result, "tea") == 2)
    }

    private func command(_ result: LoadResult, _ id: String) -> Node.Content? {
        guard let key = result.definition(id)?.onExpiry.first, let spec = result.set.sinks[key],
            case .mapping(let entries) = spec.options.content
        else { return nil }
        return entries.first?.value.content
    }

    @Test("a sink that another file owns is not in force; actions that name it use the one in force")
    func sinks() {
        var loader = DefinitionLoader.test()
        let result = loader.load([
            "a.yaml": "sinks: { log: { shell: a } }\ntimers: { a: { duration: 1m, on-expiry: log } }",
            "b.yaml": "sinks: { log: { shell: b } }\ntimers: { b: { duration: 1m, on-expiry: log } }",
        ])
        #expect(result.ids == ["a", "b"])
        #expect(result.files.map(\.state) == [.ok, .partial])
        #expect(command(result, "a") == .scalar("a") && command(result, "b") == .scalar("a"))
        #expect(
            DiagnosticText.render(result.diagnostics) == """
                config/b.yaml:1:10: error: the sink 'log' is declared in another file already; this one is not in force
                sinks: { log: { shell: b } }
                         ^~~
                config/a.yaml:1:10: note: it is here
                sinks: { log: { shell: a } }
                         ^~~

                """)
    }

    @Test(
        "the file that declared a sink first owns it, whatever its path; when it drops the sink, the other takes over")
    func sinkHolder() {
        let timer = "timers: { t: { duration: 1m, on-expiry: log } }"
        var loader = DefinitionLoader.test()
        var files = ["t.yaml": timer, "z.yaml": "sinks: { log: { shell: z } }"]
        #expect(command(loader.load(files), "t") == .scalar("z"))
        files["tminus.yaml"] = "sinks: { log: { shell: root } }"
        files["a.yaml"] = "sinks: { log: { shell: a } }"
        let result = loader.load(files)
        #expect(command(result, "t") == .scalar("z"))
        #expect(result.files.map(\.state) == [.partial, .ok, .partial, .ok])
        files["z.yaml"] = "sinks: { other: { shell: z } }"
        #expect(command(loader.load(files), "t") == .scalar("a"))
        #expect(loader.parsedFiles == 5)
    }
}
