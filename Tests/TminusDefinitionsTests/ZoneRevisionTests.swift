import Testing
import TminusCore
import TminusTestKit

@testable import TminusDefinitions

/// Definitions in force follow changes of zones, without an edit.
@Suite("Revisions of zones")
struct ZoneRevisionTests {
    private let zones = ManualZones(["Test/Place": "UTC0", "Test/Home": "UTC0"], version: "2026a")
    private let files = [
        "here.yaml": "events: { here: { at: 2026-07-01 09:00, on-expiry: [] } }",
        "there.yaml": "events: { there: { at: 2026-07-01 09:00, timezone: Test/Place, on-expiry: [] } }",
    ]

    private func loader() -> DefinitionLoader {
        DefinitionLoader(zones: zones, sinks: .tests, displayRoot: "config")
    }

    /// The hour in UTC of an event's only instant.
    private func hour(_ result: LoadResult, _ id: String) -> Int? {
        guard case .event(let event) = result.definition(id)?.schedule, case .at(let instants, _) = event.trigger else {
            return nil
        }
        return instants.first.map { Zone.utc.local($0).hour }
    }

    @Test("the zone of a definition and that of the machine change apart from each other")
    func apart() {
        var loader = loader()
        var result = loader.load(files)
        #expect(hour(result, "here") == 9 && hour(result, "there") == 9 && loader.zoneVersion == "2026a")
        #expect(!loader.hasOtherZones)
        zones.set("Test/Place", to: "XXX-2", version: "2026b")
        #expect(loader.hasOtherZones)
        result = loader.load(files)
        #expect(hour(result, "here") == 9 && hour(result, "there") == 7 && loader.zoneVersion == "2026b")
        zones.set("Test/Home", to: "XXX-3")
        zones.move(to: "Test/Home")
        result = loader.load(files)
        #expect(hour(result, "here") == 6 && hour(result, "there") == 7)
        #expect(!loader.hasOtherZones && result.isClean)
    }

    @Test("nothing is decoded again unless a zone changes")
    func same() {
        var loader = loader()
        _ = loader.load(files)
        _ = loader.load(files)
        #expect(loader.parsedFiles == 2)
    }

    @Test("the zone in the defaults of the root file affects the other files")
    func defaults() {
        var loader = loader()
        let files = files.merging(["tminus.yaml": "defaults: { timezone: Test/Place }"]) { first, _ in first }
        #expect(hour(loader.load(files), "here") == 9)
        zones.set("Test/Place", to: "XXX-2")
        #expect(hour(loader.load(files), "here") == 7)
    }

    @Test("if a zone is missing, the last good content stays in force until it is back")
    func gone() {
        var loader = loader()
        _ = loader.load(files)
        zones.set("Test/Place", to: nil)
        var result = loader.load(files)
        #expect(hour(result, "there") == 9 && result.state("there.yaml") == .stale)
        #expect(result.messages.first?.hasPrefix("unknown time zone 'Test/Place'") == true)
        zones.set("Test/Place", to: "XXX-2")
        result = loader.load(files)
        #expect(hour(result, "there") == 7 && result.isClean)
    }

    @Test("the content in force of a broken or unreadable file follows as well")
    func broken() {
        var loader = loader()
        _ = loader.load(files)
        var edited = DirectoryContents(files.merging(["there.yaml": "events: ["]) { $1 })
        edited.files[0] = SourceFile(path: "here.yaml", content: .unreadable(reason: "permission denied"))
        var result = loader.load(edited, now: june)
        #expect(hour(result, "there") == 9 && hour(result, "here") == 9)
        let problems = result.messages
        zones.set("Test/Place", to: "XXX-2")
        zones.move(to: "Test/Place")
        result = loader.load(edited, now: june)
        #expect(hour(result, "there") == 7 && hour(result, "here") == 7)
        #expect(result.state("there.yaml") == .stale && result.state("here.yaml") == .unreadable)
        #expect(result.messages == problems)
    }
}
