import Testing
import TminusCore
import TminusSinks

@testable import TminusDefinitions

@Suite("what sinks need outside the files")
struct NeedTests {
    private func load(_ text: String) -> LoadResult {
        var loader = DefinitionLoader(
            zones: TestZones.shared, sinks: SinkRegistry(StandardSinks.kinds), displayRoot: "config")
        return loader.load(["a.yaml": text])
    }

    /// Finds nothing.
    private func missing(_ thing: SinkNeed.Thing) -> String? { "there is no \(thing)" }

    @Test("a need is reported with line and column, once for each thing, also in a file with errors")
    func places() {
        let result = load(
            """
            sinks:
              chat: { webhook: { env: CHAT }, secret: { env: KEY } }
            timers:
              a: { duration: 1m, on-expiry: { shell: "echo 1; ./x.sh" } }
              b: { duration: 1m, on-expiry: [{ shell: ./x.sh 1 }, { shell: ./x.sh 2 }] }
              c: { duration: soon }
            """)
        let found = result.needs.flatMap { $0.diagnostics(.warning, missing) }
        #expect(
            found.map { "\($0.location.line):\($0.location.column)+\($0.length)" } == ["2:27+4", "2:50+3", "5:43+6"])
        #expect(found.allSatisfy { $0.severity == .warning && $0.location.file == "config/a.yaml" })
        let rendered = DiagnosticText.render(found[2])
        #expect(rendered.hasSuffix("\n" + String(repeating: " ", count: 42) + "^~~~~~"), "\(rendered)")
    }

    @Test("the address of a webhook stays hidden in the line of a need, and the caret is at its place")
    func hidden() throws {
        let line = "sinks: { chat: { webhook: https://example.com/s3cr3t, secret: { env: KEY } } }"
        let found = load(line).needs.flatMap { $0.diagnostics(.warning, missing) }
        let rendered = DiagnosticText.render(try #require(found.first))
        #expect(
            rendered.hasSuffix(
                "\nsinks: { chat: { webhook: (hidden), secret: { env: KEY } } }\n"
                    + String(repeating: " ", count: 51) + "^~~"), "\(rendered)")
        #expect(found[0].location.column == 70)
    }

    @Test("what is missing is added to the diagnostics of its file, as a warning or an error")
    func adding() {
        var result = load("timers: { a: { duration: 1m, on-expiry: { shell: ./x.sh } } }")
        #expect(result.isClean && result.diagnostics.isEmpty && result.needs.count == 1)
        result.add(result.needs.flatMap { $0.diagnostics(.warning, missing) })
        #expect(result.isClean && result.files[0].diagnostics == result.diagnostics && result.diagnostics.count == 1)
        result.add(result.needs.flatMap { $0.diagnostics(.error, missing) })
        #expect(!result.isClean)
    }

    @Test("'$schema' is allowed at the top of a file, and nowhere else")
    func schemaKey() {
        var loader = DefinitionLoader.test()
        let result = loader.load([
            "a.json": #"{"$schema": "./tminus.schema.json", "timers": {"t": {"duration": "1m"}}}"#
        ])
        #expect(result.isClean && result.ids == ["t"])
        let wrong = loader.load(["a.json": #"{"timers": {"t": {"$schema": "x", "duration": "1m"}}}"#])
        #expect(wrong.messages.first?.hasPrefix("unknown key '$schema'") == true)
    }
}
