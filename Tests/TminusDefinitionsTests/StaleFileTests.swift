import Testing
import TminusCore

@testable import TminusDefinitions

@Suite("files that are behind what the machines of a fleet have in force")
struct StaleFileTests {
    private let old = "timers: { tea: { duration: 4m } }"
    private let new = "timers: { tea: { duration: 5m } }"
    private let newest = "timers: { tea: { duration: 6m } }"
    private let other = "timers: { b: { duration: 1m } }"

    /// A loader of a machine that begins to lead: `inForce` was in force, and the texts of `replaced` were before.
    private func loader(_ inForce: [String: String], replaced: [String: String]) -> DefinitionLoader {
        let kept = KeptFiles(files: inForce.map { KeptFile(path: $0.key, content: Array($0.value.utf8)) })
        var loader = DefinitionLoader.test()
        loader.remember(kept)
        let digests = replaced.mapValues { Set([SourceFile(path: "", content: .bytes(Array($0.utf8))).digest]) }
        loader.stale = StaleFiles(former: kept, replaced: digests)
        return loader
    }

    private func minutes(_ result: LoadResult) -> Duration? {
        guard case .timer(let timer) = result.definition("tea")?.schedule else { return nil }
        return timer.duration
    }

    @Test("a file with replaced content stays as it is in force, with a warning, until it changes")
    func older() {
        var loader = loader(["a.yaml": new], replaced: ["a.yaml": old])
        let first = loader.load(["a.yaml": old])
        #expect(minutes(first) == .seconds(300))
        #expect(first.isClean && first.state("a.yaml") == .ok && first.kept.isEmpty)
        #expect(
            first.messages == [
                "it is older than what is in force, which stays until the file changes here; 'tminus reload' takes what is on this machine"
            ])
        #expect(first.files[0].diagnostics == first.diagnostics)
        let again = loader.load(["a.yaml": old, "b.yaml": other])
        #expect(minutes(again) == .seconds(300) && again.ids == ["b", "tea"])
        let edited = loader.load(["a.yaml": newest, "b.yaml": other])
        #expect(minutes(edited) == .seconds(360) && edited.messages == [] && edited.kept.map(\.path) == ["a.yaml"])
        // From then on the directory counts, also if it goes back.
        #expect(minutes(loader.load(["a.yaml": old, "b.yaml": other])) == .seconds(240))
    }

    @Test("content that was never in force is an edit, also at the start")
    func edit() {
        var loader = loader(["a.yaml": new], replaced: ["a.yaml": old])
        let result = loader.load(["a.yaml": newest])
        #expect(minutes(result) == .seconds(360) && result.messages == [])
    }

    @Test("content that is in force again counts, although it was replaced once")
    func inForceAgain() {
        var loader = loader(["a.yaml": old], replaced: ["a.yaml": old])
        let result = loader.load(["a.yaml": old])
        #expect(minutes(result) == .seconds(240) && result.messages == [])
    }

    @Test(
        "a file that is not there is not removed; when it comes older it is behind, and when it comes newer it counts")
    func missing() {
        var loader = loader(["a.yaml": new, "b.yaml": other], replaced: ["a.yaml": old])
        let first = loader.load(["b.yaml": other])
        #expect(first.ids == ["b", "tea"] && first.forgotten == [])
        #expect(first.messages.map { $0.hasPrefix("it is not on this machine; its definitions stay") } == [true])
        let arrived = loader.load(["a.yaml": old, "b.yaml": other])
        #expect(minutes(arrived) == .seconds(300))
        #expect(arrived.messages.map { $0.hasPrefix("it is older than what is in force") } == [true])
        #expect(loader.load(["a.yaml": new, "b.yaml": other]).messages == [])
        // A removal that this machine sees is one.
        let gone = loader.load(["b.yaml": other])
        #expect(gone.ids == ["b"] && gone.forgotten == ["a.yaml"])
    }

    @Test("a file that was removed elsewhere does not bring its definitions back")
    func removed() {
        var loader = loader(["b.yaml": other], replaced: ["a.yaml": old])
        let first = loader.load(["a.yaml": old, "b.yaml": other])
        #expect(first.ids == ["b"] && first.kept.isEmpty)
        #expect(first.messages.map { $0.hasPrefix("it was removed on another machine") } == [true])
        #expect(loader.load(["a.yaml": new, "b.yaml": other]).ids == ["b", "tea"])
    }

    @Test("a directory that cannot be read says nothing: the next state is compared")
    func unreadable() {
        var loader = loader(["a.yaml": new], replaced: ["a.yaml": old])
        let problem = Diagnostic(.error, "permission denied", at: SourceLocation(file: "/etc/tminus"))
        _ = loader.load(DirectoryContents(root: "/etc/tminus", problems: [problem]), now: june)
        #expect(minutes(loader.load(["a.yaml": old])) == .seconds(300))
    }
}
