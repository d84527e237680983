import Foundation
import Testing
import TminusCore
import TminusDefinitions
import TminusSystem
import TminusTestKit

@testable import TminusTooling

@Suite("Tools without a daemon")
struct ToolTests {
    private let sinks: [any Sink.Type] = [RecordingSink.self]

    @Test("check counts definitions, files and problems; a path that does not exist is an error")
    func checking() throws {
        let directory = try TemporaryDirectory([
            "a.yaml": "timers: { tea: { duration: 3m }, egg: { duration: 5m } }\n",
            "b.yaml": "timers: { tea: { duration: soon } }\n",
        ])
        let result = try CheckResult.of(paths: [directory.path], maxFileSize: 1 << 20, sinks: sinks)
        #expect(result.hasErrors && result.files == 2)
        #expect(result.diagnostics.contains { $0.location.file == "\(directory.path)/b.yaml" })
        let alone = try CheckResult.of(paths: ["\(directory.path)/a.yaml"], maxFileSize: 1 << 20, sinks: sinks)
        #expect(!alone.hasErrors && alone.summary == "2 definitions in 1 file, 0 errors, 0 warnings")
        #expect(throws: ToolError(.inputOutput, "/no/such: there is no such file or directory")) {
            try CheckResult.of(paths: ["/no/such"], maxFileSize: 1 << 20, sinks: sinks)
        }
    }

    @Test("check warns of what a sink needs and is not there; strict makes it an error")
    func needs() throws {
        let directory = try TemporaryDirectory(["a.yaml": "sinks: { s: { needy: TMINUS_NO_SUCH_VARIABLE } }\n"])
        func check(isStrict: Bool) throws -> CheckResult {
            try CheckResult.of(
                paths: [directory.path], maxFileSize: 1 << 20, isStrict: isStrict, sinks: [NeedySink.self])
        }
        let result = try check(isStrict: false)
        #expect(!result.hasErrors && result.summary.hasSuffix("0 errors, 1 warning"))
        #expect(result.diagnostics.first?.location.column == 22)
        #expect(try check(isStrict: true).hasErrors)
    }

    private func needs(_ text: String, labels: [String]) -> [SinkNeed.Thing] {
        var loader = DefinitionLoader(
            zones: SystemZoneDatabase(), sinks: SinkRegistry([NeedySink.self]), displayRoot: "",
            labels: Set(labels.compactMap { MachineLabel($0) }))
        let file = SourceFile(path: "a.yaml", content: .bytes(Array(text.utf8)))
        let result = loader.load(DirectoryContents(root: "/", files: [file]), now: .distantPast)
        return result.needs.flatMap { $0.needs.map(\.thing) }
    }

    @Test("check does not look for what a sink needs on other machines alone")
    func needsElsewhere() throws {
        let text = "sinks: { s: { needy: TMINUS_NO_SUCH_VARIABLE, run-on: [backup] } }\n"
        let directory = try TemporaryDirectory(["a.yaml": text])
        let result = try CheckResult.of(
            paths: [directory.path], maxFileSize: 1 << 20, isStrict: true, sinks: [NeedySink.self])
        #expect(result.diagnostics.isEmpty)
        #expect(needs(text, labels: ["backup"]) == [.variable("TMINUS_NO_SUCH_VARIABLE")])
        #expect(needs(text, labels: []).isEmpty)
        let both = text + "timers: { t: { duration: 1m, on-expiry: [{ needy: TMINUS_NO_SUCH_VARIABLE }] } }\n"
        #expect(needs(both, labels: []).count == 1, "another sink needs it everywhere")
    }

    @Test("check notes that a JSON Schema is ignored, in a directory and by its name")
    func schemas() throws {
        let directory = try TemporaryDirectory(["a.yaml": "timers: { t: { duration: 3m } }\n"])
        try directory.write("tminus.schema.json", ConfigSchema.json(sinks: sinks))
        let file = "\(directory.path)/tminus.schema.json"
        for (path, files) in [(directory.path, 1), (file, 0)] {
            let result = try CheckResult.of(paths: [path], maxFileSize: 1 << 20, sinks: sinks)
            #expect(!result.hasErrors && result.files == files)
            #expect(result.diagnostics.map(\.severity) == [.note] && result.diagnostics[0].location.file == file)
            #expect(result.diagnostics[0].message == "ignored: it is a JSON Schema by its name, not a definition file")
        }
    }

    @Test("next finds definitions by id and by path, and names similar ids")
    func next() throws {
        let directory = try TemporaryDirectory(["a.yaml": "events: { party: { at: '2026-12-01T10:00:00Z' } }\n"])
        let from = "2026-11-01T00:00:00Z"
        let found = try NextResult.ofDefinitions(["party"], config: directory.path, from: from, limit: 1, sinks: sinks)
        #expect(!found.hasErrors && found.unknown == [] && found.json.contains("2026-12-01T10:00:00"))
        let unknown = try NextResult.ofDefinitions(
            ["parti"], config: directory.path, from: from, limit: 1, sinks: sinks)
        #expect(unknown.hasErrors && unknown.unknown.count == 1 && unknown.unknown[0].contains("party"))
        #expect(throws: ToolError.self) {
            try NextResult.ofDefinitions([], config: directory.path, from: "never", limit: 1, sinks: sinks)
        }
        #expect(NextResult.ofRule([(name: "every", value: "5m")], limit: 2).previews.count == 1)
    }

    @Test("simulate refuses an end before the start and plays what is due between them")
    func simulating() throws {
        let files = try TemporaryDirectory([
            "a.yaml": "events: { party: { at: '2026-12-01T10:00:00Z', on-expiry: [] } }\n"
        ])
        let directory = try ConfigDirectory(files.path)
        let (start, end) = (Timestamp(seconds: 1_796_083_200), Timestamp(seconds: 1_796_169_600))
        #expect(throws: ToolError(.usage, "the end of the simulation is before its beginning")) {
            _ = try SimulationResult.of(
                directory, script: .init(from: .instant(end), to: .instant(start)), isJSON: false, sinks: sinks)
        }
        var result = try SimulationResult.of(
            directory, script: .init(from: .instant(start), to: .instant(end)), isJSON: false, sinks: sinks)
        var bytes: [UInt8] = []
        while result.appendNext(to: &bytes) != nil {}
        #expect(!result.hasErrors && result.start == start)
    }

    @Test("diff compares two directories, and says that there is no state")
    func diffing() async throws {
        let old = try TemporaryDirectory(["a.yaml": "timers: { tea: { duration: 3m } }\n"])
        let new = try TemporaryDirectory(["a.yaml": "timers: { tea: { duration: 4m } }\n"])
        let directory = try ConfigDirectory(old.path)
        let scope = DiffResult.Scope(limit: 5, horizon: nil)
        func compare(_ other: TemporaryDirectory) throws -> DiffResult {
            try DiffResult.ofDirectories(old.path, other.path, reading: directory, scope: scope, sinks: sinks)
        }
        #expect(try compare(new).isDifferent)
        #expect(try !compare(old).isDifferent)
        await #expect(throws: ToolError.self) {
            _ = try await DiffResult.ofState(
                directory, state: new.path, store: "\(new.path)/tminus.sqlite", candidate: nil, scope: scope,
                sinks: sinks)
        }
    }

    @Test("add, edit and remove change one definition of a file and keep the rest")
    func editing() throws {
        let text = "# mine\ntimers:\n  tea:\n    duration: 3m\n"
        let directory = try TemporaryDirectory(["a.yaml": text])
        func files() throws -> ConfigFiles { try ConfigFiles(config: directory.path, sinks: sinks) }
        let entry = Node.Entry(key: "duration", value: Node(.scalar("5m")))
        let added = try files().add(.timer, id: "egg", file: nil) { _ in [entry] }
        #expect(added.place.id == "egg" && added.definition != nil)
        #expect(directory.read("a.yaml")?.hasPrefix(text) == true)
        #expect(throws: EditRefusal.self) { _ = try files().add(.timer, id: "egg", file: nil) { _ in [entry] } }

        let session = try EditSession(files(), id: "tea", file: nil)
        let edited = Array(String(decoding: session.bytes, as: UTF8.self).replacing("3m", with: "4m").utf8)
        #expect(session.check(edited).summary == .init(added: [], changed: ["tea"], removed: []))
        try session.commit(edited)
        #expect(throws: EditRefusal.self) { try session.commit(edited) }

        let kept = try files().remove("egg", file: nil) { _, _ in false }
        #expect(kept == nil)
        let removed = try files().remove("egg", file: nil) { _, lines in !lines.isEmpty }
        #expect(removed?.place.id == "egg")
        #expect(directory.read("a.yaml") == text.replacing("3m", with: "4m"))
    }

    @Test("a file below a directory whose name is not ASCII is the one of its whole path")
    func nonASCII() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: "\(directory.path)/Gerät/sub", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try directory.write("Gerät/sub/a.yaml", "timers:\n  tea:\n    duration: 3m\n")
        let files = try ConfigFiles(config: "\(directory.path)/Gerät", sinks: sinks)
        let added = try files.add(.timer, id: "egg", file: "\(directory.path)/Gerät/sub/a.yaml") { _ in
            [Node.Entry(key: "duration", value: Node(.scalar("5m")))]
        }
        #expect(added.place.path == "sub/a.yaml")
    }

    @Test("add and remove try again while other programs change the file, up to 100 times")
    func races() throws {
        func text(_ number: Int) -> String { "timers:\n  tea:\n    duration: \(number)m\n" }
        let directory = try TemporaryDirectory(["a.yaml": text(100)])
        func files() throws -> ConfigFiles { try ConfigFiles(config: directory.path, sinks: sinks) }
        let entry = Node.Entry(key: "duration", value: Node(.scalar("5m")))
        var tries = 0
        /// Another program changes the file in the first tries.
        func race(_ races: Int) {
            tries += 1
            if tries <= races { try? directory.write("a.yaml", text(100 + tries)) }
        }
        _ = try files().add(.timer, id: "egg", file: nil) { _ in
            race(99)
            return [entry]
        }
        #expect(tries == 100)
        #expect(directory.read("a.yaml") == text(199) + "  egg:\n    duration: 5m\n")

        tries = 0
        let removed = try files().remove("tea", file: nil) { _, _ in
            race(99)
            return true
        }
        #expect(tries == 100 && removed?.place.id == "tea")

        try directory.write("a.yaml", text(100))
        tries = 0
        let refusal = #expect(throws: EditRefusal.self) {
            _ = try files().add(.timer, id: "egg", file: nil) { _ in
                race(100)
                return [entry]
            }
        }
        #expect(tries == 100 && refusal?.isRace == true)

        let writer = try #require(FileHandle(forWritingAtPath: directory.path + "/a.yaml"))
        defer { try? writer.close() }
        tries = 0
        #expect(throws: EditRefusal.self) {
            _ = try files().add(.timer, id: "egg", file: nil) { _ in
                race(0)
                return [entry]
            }
        }
        #expect(tries == 2, "a file that another program holds open is tried only once more")
        #expect(directory.read("a.yaml") == text(200))
    }
}

/// A sink that needs the variable that its option names.
private struct NeedySink: Sink {
    static let kind = "needy"
    static let options = KeyTable("a needy sink", [KeyTable.Key("needy", .text, "the variable", isRequired: true)])

    init?(from reader: inout MappingReader, context: SinkContext) {
        guard let name = reader.text("needy") else { return nil }
        reader.needs(.variable(name), at: "needy")
    }

    var maxConcurrent: Int { 1 }
    var timeLimit: Duration { .seconds(1) }
    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport { .empty }
}
