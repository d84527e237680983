import Logging
import Testing
import TminusCore
import TminusDefinitions
import TminusTestKit
import TminusWatch

@testable import TminusDaemon

@Suite("Definitions without a file")
struct AdHocTests {
    private struct Source: DefinitionSource {
        let contents: AsyncStream<DirectoryContents>
        let send: AsyncStream<DirectoryContents>.Continuation

        init() { (contents, send) = AsyncStream.makeStream() }
        func reload() {}
    }

    /// A loader over a directory that the test writes.
    private struct Place: Sendable {
        let source = Source()
        let store: TroubledStore
        let engine = Mailbox<EngineInput>()
        let board = StatusPublisher { WatchStatus() }
        let log = LogRecord()
        let clock = ManualClock(now: at(0))
        let inbox = Mailbox<LoaderInput>()
        let desk: LoaderClient
        let reports = Watched<[Diagnostic]>([])

        init(_ store: TroubledStore = TroubledStore()) {
            self.store = store
            desk = LoaderClient(inbox)
        }

        func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
            let zones = ManualZones(["Test/Place": "UTC0"], version: "2026a")
            let reports = reports
            let loader = Loader(
                source: source, clock: clock,
                loader: DefinitionLoader(
                    zones: zones, sinks: SinkRegistry([RecordingSink.self]), displayRoot: "config"),
                inbox: inbox, zoneWatch: ZoneWatch(zones, loader: inbox),
                needWatch: NeedWatch(ManualInspector(), loader: inbox), store: store,
                engine: engine, status: board, report: { news in reports.update { $0 += news } },
                logger: log.logger)
            let running = Task { try await loader.run() }
            do { try await body() } catch {
                running.cancel()
                throw error
            }
            running.cancel()
            try await Bounded.value("the end of the loader") { try await running.value }
        }

        func files(_ files: [String: String]) {
            let files = files.map { SourceFile(path: $0.key, content: .bytes(Array($0.value.utf8))) }
            source.send.yield(DirectoryContents(root: "/config", files: files.sorted { $0.path < $1.path }))
        }

        /// The next definitions that the engine gets.
        func next() async throws -> DefinitionSet {
            let engine = engine
            return try await Bounded.value("definitions") {
                for await _ in engine.signals {
                    switch engine.takeSchedule().last {
                    case .definitions(let set, except: _), .changes(let set, of: _): return set
                    default: break
                    }
                }
                return DefinitionSet()
            }
        }
    }

    private static let tea = "timers: { tea: { duration: 4m, on-expiry: [] } }"
    private static let focus = Array(#"{"timers":{"focus":{"name":"Focus","duration":"25m","on-expiry":[]}}}"#.utf8)
    private static let id = DefinitionID.test("focus")

    @Test("a new definition is stored and in force before it is answered, and survives a restart")
    func durable() async throws {
        let store = TroubledStore()
        let place = Place(store)
        try await place.run {
            place.files(["a.yaml": Self.tea])
            _ = try await place.next()
            #expect(try await place.desk.add(Self.focus, by: "ada") == Self.id)
            #expect(try await store.memory.adHocDefinitions().map(\.document) == [Self.focus])
            let set = try await place.next()
            #expect(set.definitions.keys.map(\.rawValue).sorted() == ["focus", "tea"])
            #expect(set.definitions[Self.id]?.isAdHoc == true)
            #expect(set.definitions[Self.id]?.name == "Focus")
            #expect(set.definitions[.test("tea")]?.isAdHoc == false)
            // It is no file: nobody is told of one, and the hash is that of the directory.
            #expect(place.board.load.files.map(\.path) == ["a.yaml"])
        }
        let later = Place(store)
        try await later.run {
            later.files(["a.yaml": Self.tea])
            let again = try await later.next()
            #expect(again.definitions.keys.map(\.rawValue).sorted() == ["focus", "tea"])
            #expect(later.reports.value.isEmpty)
        }
    }

    @Test("an id that is in use is refused with its holder")
    func taken() async throws {
        let place = Place()
        try await place.run {
            place.files(["a.yaml": Self.tea])
            _ = try await place.next()
            _ = try await place.desk.add(Self.focus, by: "ada")
            await #expect(throws: DefinitionRefusal.taken(Self.id, file: nil)) {
                _ = try await place.desk.add(Self.focus, by: "eve")
            }
            // Nobody makes room for what is wrong.
            do throws(DefinitionRefusal) {
                _ = try await place.desk.add(Array(#"{"timers":{"focus":{"duration":25}}}"#.utf8), by: "eve")
                Issue.record("taken")
            } catch {
                guard case .invalid = error else {
                    Issue.record("\(error)")
                    return
                }
            }
            await #expect(throws: DefinitionRefusal.taken(.test("tea"), file: "config/a.yaml")) {
                _ = try await place.desk.add(Array(#"{"timers":{"tea":{"duration":"1m"}}}"#.utf8), by: "eve")
            }
        }
    }

    @Test("a definition keeps its id when a file uses it later, and the file gets it after the removal")
    func keepsItsID() async throws {
        let files = ["a.yaml": Self.tea, "b.yaml": "timers: { focus: { duration: 1h, on-expiry: [] } }"]
        let store = TroubledStore()
        let place = Place(store)
        try await place.run {
            place.files(["a.yaml": Self.tea])
            _ = try await place.next()
            _ = try await place.desk.add(Self.focus, by: "ada")
            _ = try await place.next()
            place.files(files)
            #expect(await place.reports.wait(upTo: Bounded.limit) { !$0.isEmpty })
            #expect(
                place.reports.value.map(\.message) == [
                    "the id 'focus' is in use by a countdown without a file; this definition comes into force when that is "
                        + "gone: 'tminus remove focus', or choose another id"
                ])
            #expect(place.reports.value.map(\.location.file) == ["config/b.yaml"])
            #expect(!place.board.load.isLastSuccessful)
        }
        let later = Place(store)
        try await later.run {
            later.files(files)
            #expect(try await later.next().definitions[Self.id]?.isAdHoc == true)
            try await later.desk.remove(Self.id)
            #expect(try await later.next().definitions[Self.id]?.origin.file == "config/b.yaml")
            #expect(later.board.load.isLastSuccessful)
        }
    }

    @Test(
        "a wrong document is refused with the places of its errors, and nothing is stored",
        arguments: [
            ("[]", "the definition must be a JSON object"), ("{", ""), ("{}", "one definition, not 0"),
            (#"{"timers":{"a":{"duration":"1m"},"b":{"duration":"1m"}}}"#, "one definition, not 2"),
            (#"{"timers":{"no id!":{"duration":"1m"}}}"#, "cannot be the id"),
            (#"{"sinks":{"x":{}},"timers":{"a":{"duration":"1m"}}}"#, "has no 'sinks'"),
            (#"{"timers":{"a":{"duration":25}}}"#, "duration"),
            (#"{"timers":{"a":{"duration":"5m","on-expiry":["nobody"]}}}"#, "nobody"),
            (#"{"timers":{"a":{"duration":"5m","dur":1}}}"#, "unknown key 'dur'"),
        ])
    func wrong(_ document: String, _ message: String) async throws {
        let place = Place()
        try await place.run {
            place.files(["a.yaml": Self.tea])
            _ = try await place.next()
            do throws(DefinitionRefusal) {
                _ = try await place.desk.add(Array(document.utf8), by: "ada")
                Issue.record("taken")
            } catch {
                guard case .invalid(let problems) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(problems.contains { $0.message.contains(message) }, "\(problems.map(\.message))")
            }
            #expect(try await place.store.memory.adHocDefinitions().isEmpty)
            #expect(place.engine.takeSchedule().isEmpty)
        }
    }

    @Test("a definition can be removed unless it is in a file, and an unknown id is answered with a similar one")
    func remove() async throws {
        let place = Place()
        try await place.run {
            place.files(["a.yaml": Self.tea])
            _ = try await place.next()
            _ = try await place.desk.add(Self.focus, by: "ada")
            _ = try await place.next()
            await #expect(throws: DefinitionRefusal.unknown(near: [Self.id])) {
                try await place.desk.remove(.test("fokus"))
            }
            await #expect(throws: DefinitionRefusal.inFile("config/a.yaml")) {
                try await place.desk.remove(.test("tea"))
            }
            try await place.desk.remove(Self.id)
            #expect(try await place.next().definitions.keys.map(\.rawValue) == ["tea"])
            #expect(try await place.store.memory.adHocDefinitions().isEmpty)
        }
    }

    @Test("nothing is half done when the store refuses")
    func unwritten() async throws {
        let place = Place()
        try await place.run {
            place.files(["a.yaml": Self.tea])
            _ = try await place.next()
            place.store.refuse(.addAdHoc)
            await #expect(throws: DefinitionRefusal.unwritten(reason: "memory: no room")) {
                _ = try await place.desk.add(Self.focus, by: "ada")
            }
            #expect(place.engine.takeSchedule().isEmpty)
            place.store.work()
            _ = try await place.desk.add(Self.focus, by: "ada")
        }
        await #expect(throws: DefinitionRefusal.unwritten(reason: "the daemon is stopping")) {
            try await place.desk.remove(Self.id)
        }
    }

    @Test("while the stored definitions cannot be read none is added, and the store is asked again")
    func notRead() async throws {
        let place = Place()
        place.store.refuse(.adHocDefinitions)
        try await place.store.memory.add(
            AdHocDefinition(id: Self.id, document: Self.focus, by: "ada", created: at(0)))
        try await place.run {
            place.files(["a.yaml": Self.tea])
            _ = try await place.next()
            await #expect(throws: DefinitionRefusal.self) { _ = try await place.desk.add(Self.focus, by: "ada") }
            place.store.work()
            place.files(["a.yaml": Self.tea + " # saved"])
            #expect(try await place.next().definitions.count == 2)
        }
    }
}
