import Testing
import TminusCore

@testable import TminusDefinitions
@testable import TminusTestKit

@Suite("files of a fleet: what a new leader does with its own")
struct FleetFileTests {
    private let old = "timers: { tea: { duration: 4m } }"
    private let new = "timers: { tea: { duration: 5m } }"
    private let newest = "timers: { tea: { duration: 6m } }"
    private let other = "timers: { b: { duration: 1m } }"

    /// A loader of a machine that begins to lead. `sets` were in force one after the other; of these the machine had the one with the index
    /// `base` last, and of single files later ones.
    private func loader(_ sets: [[String: String]], base: Int?, bases: [String: Int] = [:]) -> DefinitionLoader {
        var loader = DefinitionLoader.test()
        // A machine that never had anything had the files of a new database, which has none.
        loader.remember(PublishedFiles(sets: base == nil ? [[:]] + sets : sets, base: base ?? 0, bases: bases))
        return loader
    }

    private func minutes(_ result: LoadResult) -> Duration? {
        guard case .timer(let timer) = result.definition("tea")?.schedule else { return nil }
        return timer.duration
    }

    @Test("a clone that is behind reverts nothing, until it has what is in force; from then on it counts")
    func behind() {
        var loader = loader([["a.yaml": old], ["a.yaml": new]], base: 0)
        let first = loader.load(["a.yaml": old])
        #expect(minutes(first) == .seconds(300) && !first.isWhole)
        #expect(first.isClean && first.state("a.yaml") == .ok && first.kept.isEmpty)
        #expect(
            first.messages == [
                "'a.yaml' is older on this machine than what is in force, which stays until the file is changed here"
            ])
        #expect(first.fleetWarnings == first.diagnostics)
        let again = loader.load(["a.yaml": old, "b.yaml": other])
        #expect(minutes(again) == .seconds(300) && again.ids == ["b", "tea"])
        let pulled = loader.load(["a.yaml": new, "b.yaml": other])
        #expect(minutes(pulled) == .seconds(300) && pulled.messages == [] && pulled.kept.isEmpty && pulled.isWhole)
        #expect(minutes(loader.load(["a.yaml": old, "b.yaml": other])) == .seconds(240))
    }

    @Test("an edit before the start counts, also one that goes back to older content")
    func edited() {
        var ahead = loader([["a.yaml": old], ["a.yaml": new]], base: 1)
        let edited = ahead.load(["a.yaml": newest])
        #expect(minutes(edited) == .seconds(360) && edited.messages == [] && edited.isWhole)
        var back = loader([["a.yaml": old], ["a.yaml": new]], base: 1)
        let reverted = back.load(["a.yaml": old])
        #expect(minutes(reverted) == .seconds(240) && reverted.messages == [])
        var removing = loader([["a.yaml": old, "b.yaml": other]], base: 0)
        let removed = removing.load(["a.yaml": old])
        #expect(removed.ids == ["tea"] && removed.forgotten == ["b.yaml"] && removed.messages == [])
    }

    @Test("a renamed file is the same definitions at another place, on the machine that has it and on one that has not")
    func renamed() {
        var ahead = loader([["a.yaml": old]], base: 0)
        let renamed = ahead.load(["z.yaml": old])
        #expect(renamed.ids == ["tea"] && renamed.forgotten == ["a.yaml"] && renamed.messages == [])
        var late = loader([["a.yaml": old], ["z.yaml": old]], base: 0)
        let kept = late.load(["a.yaml": old])
        #expect(kept.ids == ["tea"] && kept.files.map(\.path) == ["z.yaml"] && !kept.isWhole)
    }

    @Test("an edit here wins against one elsewhere that this machine never had, with a warning")
    func overwrites() {
        var loader = loader([["a.yaml": old], ["a.yaml": new]], base: 0)
        let result = loader.load(["a.yaml": newest])
        #expect(minutes(result) == .seconds(360))
        #expect(
            result.messages == [
                "'a.yaml' differs from what was in force, which this machine never had: what is on this machine counts"
            ])
        #expect(loader.load(["a.yaml": newest]).messages == [])
    }

    @Test("a file that has the content in force by chance, on a machine that is behind, is compared on")
    func byChance() {
        let sets = [["a.yaml": old], ["a.yaml": new], ["a.yaml": old, "b.yaml": other]]
        var loader = loader(sets, base: 0)
        #expect(minutes(loader.load(sets[0])) == .seconds(240))
        #expect(minutes(loader.load(sets[1])) == .seconds(240))
        #expect(loader.load(sets[2]).isWhole)
        #expect(minutes(loader.load(["a.yaml": new, "b.yaml": other])) == .seconds(300))
    }

    @Test("of a machine that never has all files, each one that it had counts when it is changed or removed")
    func single() {
        let sets = [
            ["own.yaml": other], ["own.yaml": other, "a.yaml": old], ["own.yaml": other, "a.yaml": new],
            ["own.yaml": other, "a.yaml": new, "c.yaml": "timers: { c: { duration: 1m } }"],
        ]
        let own = "timers: { own: { duration: 1m } }"
        // The leader ended before it read that a file was removed, and another one changed back.
        var next = loader(sets, base: nil, bases: ["a.yaml": 3, "c.yaml": 4])
        let first = next.load(["own.yaml": own, "a.yaml": old])
        #expect(first.ids == ["own", "tea"] && minutes(first) == .seconds(240) && first.forgotten == ["c.yaml"])
        // One that leads notes what it has from its first load on.
        var later = loader(sets, base: nil)
        #expect(later.load(["a.yaml": new]).arrived == ["a.yaml"])
        let removed = later.load([:])
        #expect(removed.ids == ["b", "c"] && removed.forgotten == ["a.yaml"] && removed.arrived == [])
    }

    @Test("a clone on its way through contents that were in force stays behind", arguments: [0, nil])
    func onItsWay(base: Int?) {
        let sets = [["a.yaml": old], ["a.yaml": new, "b.yaml": other], ["b.yaml": other], ["a.yaml": newest]]
        var loader = loader(sets, base: base)
        for state in [sets[0], sets[1], sets[2]] {
            let result = loader.load(state)
            #expect(minutes(result) == .seconds(360) && result.ids == ["tea"] && !result.isWhole, "\(state)")
        }
        #expect(loader.load(sets[3]).isWhole)
    }

    @Test("a machine that never had the files takes away nothing, and adds what nobody had")
    func first() {
        var loader = loader([["a.yaml": old], ["a.yaml": new]], base: nil)
        let result = loader.load(["b.yaml": other])
        #expect(result.ids == ["b", "tea"] && result.forgotten == [] && result.kept.map(\.path) == ["b.yaml"])
        #expect(
            result.messages == [
                "'a.yaml' is not on this machine: its definitions stay in force; copy it, or run with --own-files"
            ])
        #expect(minutes(loader.load(["a.yaml": old, "b.yaml": other])) == .seconds(300))
        #expect(minutes(loader.load(["a.yaml": newest, "b.yaml": other])) == .seconds(360))
        #expect(loader.load(["b.yaml": other]).ids == ["b"])
        // What was seen here can be removed here, also while another file is missing.
        var second = self.loader([["a.yaml": old, "b.yaml": other]], base: nil)
        #expect(second.load(["a.yaml": old]).ids == ["b", "tea"])
        #expect(second.load([:]).ids == ["b"])
    }

    @Test("a machine that has none of thousands of files names a few")
    func many() {
        let files = (1000..<3000).map { ("\($0).yaml", "timers: { t\($0): { duration: 4m } }") }
        var loader = loader([Dictionary(uniqueKeysWithValues: files)], base: nil)
        let result = loader.load([:])
        #expect(result.ids.count == 2000 && result.forgotten == [])
        #expect(result.messages.count == 21 && result.messages.contains("and 1980 more files differ"))
    }

    @Test("a file that was removed elsewhere does not come back, unless it is changed here")
    func removed() {
        var loader = loader([["a.yaml": old, "b.yaml": other], ["b.yaml": other]], base: 0)
        let first = loader.load(["a.yaml": old, "b.yaml": other])
        #expect(first.ids == ["b"] && first.kept.isEmpty)
        #expect(
            first.messages == [
                "'a.yaml' was removed on another machine: it stays removed until it is changed on this one"
            ])
        #expect(loader.load(["a.yaml": new, "b.yaml": other]).ids == ["b", "tea"])
    }

    @Test("a file or a directory that cannot be read says nothing: it is compared when it can be")
    func unreadable() {
        var loader = loader([["a.yaml": old], ["a.yaml": new]], base: 0)
        let problem = Diagnostic(.error, "permission denied", at: SourceLocation(file: "/etc/tminus"))
        let closed = loader.load(DirectoryContents(root: "/etc/tminus", problems: [problem]), now: june)
        #expect(closed.fleetWarnings == [] && closed.forgotten == [])
        var half = DirectoryContents(["b.yaml": other])
        half.problems = [problem]
        #expect(loader.load(half, now: june).ids == ["b", "tea"])
        let file = SourceFile(path: "a.yaml", content: .unreadable(reason: "is being written"))
        let unread = loader.load(DirectoryContents(root: "/etc/tminus", files: [file]), now: june)
        #expect(minutes(unread) == .seconds(300) && unread.fleetWarnings == [])
        #expect(minutes(loader.load(["a.yaml": old])) == .seconds(300))
    }

    @Test("a file with an error leaves its content in force, and is compared until it has none")
    func broken() {
        let error = "timers: { tea: { duration: x } }"
        var late = loader([["a.yaml": old], ["a.yaml": new]], base: 0)
        let result = late.load(["a.yaml": error])
        #expect(minutes(result) == .seconds(300) && result.state("a.yaml") == .stale && !result.isWhole)
        #expect(minutes(late.load(["a.yaml": old])) == .seconds(300))
        #expect(late.load(["a.yaml": new]).isWhole)
        // Of one that had all, each change is an edit.
        #expect(late.load(["a.yaml": error]).isWhole)
        #expect(minutes(late.load(["a.yaml": old])) == .seconds(240))
    }

    @Test("a file that cannot be read does not keep the others from being the leader's own")
    func unreadableBeside() {
        func contents(_ texts: [String: String], _ unread: String) -> DirectoryContents {
            var contents = DirectoryContents(texts)
            contents.files.append(SourceFile(path: unread, content: .unreadable(reason: "permission denied")))
            return contents
        }
        var first = loader([["a.yaml": old]], base: nil)
        #expect(first.load(contents(["a.yaml": old], "z.yaml"), now: june).isWhole)
        #expect(first.load(contents([:], "z.yaml"), now: june).ids == [])
        var second = loader([["a.yaml": old, "z.yaml": other]], base: nil)
        let result = second.load(contents(["a.yaml": old], "z.yaml"), now: june)
        #expect(result.ids == ["b", "tea"] && !result.isWhole)
        #expect(second.load(contents([:], "z.yaml"), now: june).ids == ["b"])
    }

    /// Machines that follow one history, each at its own pace, and take over from each other at any time.
    @Test("if each state is in force once, no take-over goes back")
    func noneGoesBack() {
        var chance = SeededRandom(7)
        for _ in 0..<300 {
            var history: [[String: String]] = [[:]]
            var machines = [Clone(), Clone(), Clone()]
            var (leader, loader) = (0, loader([[:]], base: 0))
            for _ in 0..<30 {
                if chance.below(3) == 0 {
                    let next = chance.below(3)
                    let last = history.count - 1
                    leader = next
                    loader = self.loader(history, base: machines[next].base, bases: machines[next].bases)
                    let inForce = loader.load(history[machines[next].position])
                    #expect(inForce.hasInForce(history[last]), "\(history) \(machines[next])")
                    #expect(inForce.isWhole == (history[last] == history[machines[next].position]))
                    machines[next].note(inForce, history)
                } else if machines[leader].position == history.count - 1 {
                    var state = history[history.count - 1]
                    let path = chance.below(2) == 0 ? "a.yaml" : "b.yaml"
                    let id = path == "a.yaml" ? "tea" : "b"
                    let text = "timers: { \(id): { duration: \(1 + chance.below(3))m } }"
                    state[path] = chance.below(3) == 0 ? nil : text
                    // Nobody could tell two positions with the same files.
                    guard !history.contains(state) else { continue }
                    history.append(state)
                    machines[leader].position += 1
                    let inForce = loader.load(state)
                    #expect(inForce.hasInForce(state) && inForce.isWhole)
                    machines[leader].note(inForce, history)
                } else {
                    let machine = chance.below(3)
                    guard machines[machine].position < history.count - 1 else { continue }
                    machines[machine].position += 1
                    if machine != leader, chance.below(2) == 0 { machines[machine].note(history) }
                    if machine == leader {
                        let inForce = loader.load(history[machines[machine].position])
                        #expect(inForce.hasInForce(history[history.count - 1]))
                        machines[machine].note(inForce, history)
                    }
                }
            }
        }
    }
}

/// A machine whose files are at a position of the history. It had all that was in force when the base was.
private struct Clone {
    var position = 0
    var base = 0
    /// For single files, by path: a later set whose content it had.
    var bases: [String: Int] = [:]

    /// Notes what it has in force as a leader.
    mutating func note(_ result: LoadResult, _ history: [[String: String]]) {
        if result.isWhole { (base, bases) = (history.count - 1, [:]) }
        if !result.isWhole { for path in result.arrived { bases[path] = history.count - 1 } }
    }

    /// Notes what it has as a follower.
    mutating func note(_ history: [[String: String]]) {
        let last = history.count - 1
        if history[position] == history[last] {
            (base, bases) = (last, [:])
            return
        }
        for path in ["a.yaml", "b.yaml"] where history[position][path] == history[last][path] {
            let former = history[(bases[path] ?? base)...].drop { $0[path] != history[last][path] }
            let isNew = history[bases[path] ?? base][path] != history[last][path]
            if isNew, former.allSatisfy({ $0[path] == history[last][path] }) { bases[path] = last }
        }
    }
}

extension LoadResult {
    /// Whether these texts are in force, by path.
    fileprivate func hasInForce(_ texts: [String: String]) -> Bool {
        let digests = texts.mapValues { KeptFile(path: "", content: Array($0.utf8)).digest }
        return Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.digest ?? "") }) == digests
    }
}
