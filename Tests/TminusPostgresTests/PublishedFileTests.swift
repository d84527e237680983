import PostgresTestServer
import Synchronization
import Testing
import TminusCore
import TminusStorage

@testable import TminusPostgres
@testable import TminusTestKit

/// What a database knows of the definition files of a fleet.
@Suite(
    "PostgreSQL store: files of a fleet",
    .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct PublishedFileTests {
    private let now = Timestamp.fixture(200)

    private func file(_ path: String, _ text: String) -> KeptFile { KeptFile(path: path, content: Array(text.utf8)) }

    private func change(
        _ files: [KeptFile], forget: [String] = [], hash: String, isWhole: Bool = true
    ) -> PublishedChange {
        PublishedChange(changed: files, forgotten: forget, hash: hash, isWhole: isWhole)
    }

    private func files(_ place: Place, _ machine: String, now: Timestamp? = nil) async throws -> PublishedFiles {
        let store = try place.open(machine)
        let files = try await store.publishedFiles(root: "/c", now: now ?? self.now)
        try await store.close()
        return files
    }

    @Test("each machine learns what was in force after what it had, as brute force says")
    func history() async throws {
        var chance = SeededRandom(11)
        let place = try await Place()
        var sets: [[String: String]] = [[:]]
        var known: [String: Known] = [:]
        var arrivals = 0
        for step in 1...100 {
            let machine = ["one", "two", "three"][chance.below(3)]
            var knows = known[machine] ?? Known()
            let store = try place.open(machine)
            let published = try await store.publishedFiles(root: "/c", now: now)
            let expected = PublishedFiles(sets: sets, base: knows.base, bases: knows.bases)
            #expect(published.withoutBase == expected.withoutBase, "\(machine): \(sets)")
            var set = sets[sets.count - 1]
            let path = ["a", "b", "c"][chance.below(3)]
            if chance.below(2) == 0 {
                // It stood by, with any files.
                let here = sets[chance.below(sets.count)]
                var files = MachineFiles(of: machine)
                files.have("?", here.mapValues { file("", $0).digest })
                _ = try await store.write(as: .ordered) { [files] in try files.note(anew: false, $0) }
                arrivals += knows.arrive(here, sets)
            } else {
                let isWhole = chance.below(4) > 0
                // It arrived at files that others published.
                let arrived = isWhole ? [] : ["a", "b", "c"].filter { _ in chance.below(3) == 0 }
                if set[path] != nil, chance.below(3) == 0 {
                    set[path] = nil
                    var removal = change([], forget: [path], hash: "\(step)", isWhole: isWhole)
                    removal.arrived = arrived
                    try await store.publish(removal, now: now)
                } else {
                    let text = ["x", "y", "z"][chance.below(3)]
                    set[path] = text
                    var edit = change([file(path, text)], hash: "\(step)", isWhole: isWhole)
                    edit.arrived = arrived
                    try await store.publish(edit, now: now)
                }
                sets.append(set)
                let last = sets.count - 1
                if isWhole { knows = Known(base: last) }
                if !isWhole { for path in arrived + [path] { knows.bases[path] = last } }
            }
            known[machine] = knows
            try await store.close()
        }
        #expect(arrivals > 5)
    }

    /// Which sets a machine had, by their indices.
    private struct Known {
        var base = 0
        var bases: [String: Int] = [:]

        /// Notes the files that a machine can have only since the last set. Returns how many these are.
        mutating func arrive(_ here: [String: String], _ sets: [[String: String]]) -> Int {
            guard !here.isEmpty else { return 0 }
            let (last, paths) = (sets.count - 1, ["a", "b", "c"])
            let inForce = sets[last]
            let arrived = paths.filter { path in
                let former = sets[(bases[path] ?? base)...].drop { $0[path] != inForce[path] }
                return here[path] == inForce[path] && sets[bases[path] ?? base][path] != inForce[path]
                    && former.allSatisfy { $0[path] == inForce[path] }
            }
            for path in arrived { bases[path] = last }
            return arrived.count
        }
    }

    @Test("the database knows of a machine that stands by when it has the files in force")
    func follower() async throws {
        let place = try await Place()
        let leader = try place.open("leader")
        try await leader.publish(change([file("a", "x")], hash: "first"), now: now)
        try await leader.publish(change([], hash: "first"), now: now)
        let follower = try place.open("other", as: .follower, lease: .milliseconds(300))
        await follower.describe(FleetMachine(process: "other", hash: "another"), files: nil)
        await follower.describe(FleetMachine(process: "other", hash: "first"), files: nil)
        let number = "SELECT number FROM machine_files WHERE machine = 'other'"
        @Sendable func noted() async throws -> Int64? { try await leader.read { try $0.number(number) } }
        try await Bounded.value("the files of the follower") { while try await noted() != 1 {} }
        try await leader.publish(change([file("a", "y")], hash: "second"), now: now)
        await follower.describe(FleetMachine(process: "other", hash: "third"), files: nil)
        try await follower.close()
        #expect(try await noted() == 1)
        try await leader.close()
        let published = try await files(place, "other")
        #expect(published == PublishedFiles(sets: [[:], ["a": "x"], ["a": "y"]], base: 1))
    }

    @Test("the database knows of single files that a machine had, also of one that never has all")
    func singleFiles() async throws {
        let place = try await Place()
        let leader = try place.open("leader")
        try await leader.publish(change([file("a", "x"), file("own", "leader")], hash: "1"), now: now)
        let follower = try place.open("other", as: .follower, lease: .milliseconds(300))
        let facts = FleetMachine(process: "other", hash: "another")
        await follower.describe(facts, files: ["a": file("a", "x").digest, "own": file("own", "other").digest])
        @Sendable func noted() async throws -> Int64? {
            try await leader.read { try $0.number("SELECT max(number) FROM machine_file WHERE machine = 'other'") }
        }
        try await Bounded.value("the file of the follower") { while try await noted() != 1 {} }
        // An edit reaches the follower first, and then the leader.
        let edited = FleetMachine(process: "other", hash: "third")
        await follower.describe(edited, files: ["a": file("a", "y").digest, "own": file("own", "other").digest])
        try await leader.publish(change([file("a", "y")], hash: "2"), now: now)
        try await Bounded.value("the edited file") { while try await noted() != 2 {} }
        try await follower.close()
        try await leader.close()
        let known = try await files(place, "other")
        #expect(known.base == ["a": file("a", "y").digest] && known.replaced == [:])
    }

    @Test("what a machine had in force with an older program is what it had last, also if it is another directory")
    func adopted() async throws {
        let place = try await Place()
        let older = try place.open("one")
        try await older.keep([file("a", "x")], forget: [], root: "/c", now: now)
        try await older.close()
        #expect(try await files(place, "one") == PublishedFiles(sets: [[:], ["a": "x"]], base: 1))
        let next = try place.open("two")
        let adopted = try await next.publishedFiles(root: "/d", now: now)
        #expect(adopted == PublishedFiles(sets: [[:], ["a": "x"]], base: 0))
        try await next.publish(change([file("a", "y")], forget: [], hash: "2"), now: now)
        try await next.close()
        let known = try await files(place, "one")
        #expect(known == PublishedFiles(sets: [[:], ["a": "x"], ["a": "y"]], base: 1))
    }

    @Test("a store that was moved has what its machines had in force, and of each machine nothing")
    func moved() async throws {
        let place = try await Place()
        let store = try place.open("one")
        try await store.keep([file("a", "x")], forget: [], root: KeptFiles.fleetRoot, now: now)
        let published = try await store.publishedFiles(root: "/c", now: now)
        #expect(published == PublishedFiles(sets: [[:], ["a": "x"]], base: 0))
        try await store.publish(change([file("a", "y")], hash: "2"), now: now)
        try await store.close()
        // A clone that is behind.
        #expect(try await files(place, "two").replaced == ["a": [file("a", "x").digest]])
    }

    @Test("what a machine had of single files is known for a year of its own, as long as it is there")
    func forgottenSingle() async throws {
        let place = try await Place()
        let leader = try place.open("leader")
        try await leader.publish(change([file("a", "x"), file("b", "x")], hash: "1"), now: now)
        var here = MachineFiles(of: "other")
        try await leader.publish(change([file("b", "y")], hash: "2"), now: now)
        let later = now.advanced(by: .seconds(300 * 86_400))
        try await leader.publish(change([file("a", "z")], hash: "3"), now: later)
        here.have("?", ["a": file("a", "z").digest, "own": file("own", "other").digest])
        _ = try await leader.write(as: .ordered) { [here] in try here.note(anew: false, $0) }
        try await leader.close()
        let known = try await files(place, "other", now: now.advanced(by: .seconds(367 * 86_400)))
        #expect(known.base == ["a": file("a", "z").digest])
    }

    @Test("a machine with more files than are noted at once notes the rest the next time")
    func many() async throws {
        let place = try await Place()
        let leader = try place.open("leader")
        let paths = (0...MachineFiles.limit).map { "file\($0)" }
        try await leader.publish(change(paths.map { file($0, "x") }, hash: "1"), now: now)
        var here = MachineFiles(of: "other")
        var digests = Dictionary(uniqueKeysWithValues: paths.map { ($0, file($0, "x").digest) })
        digests["own"] = file("own", "other").digest
        here.have("?", digests)
        let count = "SELECT count(*) FROM machine_file WHERE machine = 'other'"
        func note() async throws -> (isAll: Bool, count: Int64?) {
            let set = try await leader.write(as: .ordered) { [here] in try here.note(anew: false, $0) }
            here.noted(set)
            return (set != nil, try await leader.read { try $0.number(count) })
        }
        #expect(try await note() == (false, Int64(MachineFiles.limit)))
        #expect(try await note() == (true, Int64(paths.count)))
        try await leader.close()
    }

    @Test("an empty directory, which may not be mounted yet, says nothing of files that were removed")
    func empty() async throws {
        let place = try await Place()
        let leader = try place.open("leader")
        try await leader.publish(change([file("a", "x"), file("b", "x")], hash: "1"), now: now)
        var here = MachineFiles(of: "other")
        here.have("1", ["a": file("a", "x").digest, "b": file("b", "x").digest])
        _ = try await leader.write(as: .ordered) { [here] in try here.note(anew: false, $0) }
        try await leader.publish(change([], forget: ["b"], hash: "2"), now: now)
        here.have("?", [:])
        _ = try await leader.write(as: .ordered) { [here] in try here.note(anew: false, $0) }
        try await leader.close()
        #expect(try await files(place, "other").base["b"] == file("b", "x").digest)
    }

    @Test("after a year what a machine had is no longer known, and it counts as a new one")
    func forgotten() async throws {
        let place = try await Place()
        let store = try place.open("old")
        try await store.publish(change([file("a", "x")], hash: "1"), now: now)
        try await store.close()
        let other = try place.open("new")
        try await other.publish(change([file("a", "y")], hash: "2"), now: now)
        let later = now.advanced(by: .seconds(367 * 86_400))
        try await other.publish(change([file("a", "z")], hash: "3"), now: later)
        try await other.close()
        let known = try await files(place, "old", now: later)
        #expect(known.base == [:] && known.replaced == ["a": [file("a", "y").digest]])
        #expect(try await files(place, "new", now: later).base == ["a": file("a", "z").digest])
    }

    @Test("a machine with older zone data lets the others take over first, and says so")
    func olderZoneData() async throws {
        let place = try await Place()
        try await publish(to: place, zoneData: "2025b")
        let own = Mutex("2024a")
        let (news, told) = AsyncStream.makeStream(of: LeaseWait.News.self)
        @Sendable func zoneData() -> String? { own.withLock { $0 } }
        let wait = LeaseWait(isEndless: true, zoneData: zoneData) { told.yield($0) }
        // With so long a lease it gives way for longer than any machine is busy.
        let late = Task { try await Blocking.value { try place.open("late", lease: .seconds(3_600), wait: wait) } }
        var heard = news.makeAsyncIterator()
        #expect(await heard.next() == .olderZoneData("2024a", than: "2025b"))
        // One with the same zone data does not wait.
        let next = try place.open("next", wait: LeaseWait(isEndless: true, zoneData: { "2025b" }))
        #expect(await heard.next() == .held(by: "next, process 7"))
        try await next.close()
        #expect(await heard.next() == .olderZoneData("2024a", than: "2025b"))
        own.withLock { $0 = "2025b" }
        let last = try await late.value
        try await last.close()
    }

    @Test("a machine with older zone data takes over if no other one does")
    func olderZoneDataAlone() async throws {
        let place = try await Place()
        try await publish(to: place, zoneData: "2025b")
        let wait = LeaseWait(isEndless: true, zoneData: { "2024a" })
        let alone = try await Blocking.value { try place.open("alone", lease: .seconds(4), wait: wait) }
        try await alone.close()
    }

    /// Has a leader, which then ends, publish files that it read by a version of the zone data.
    private func publish(to place: Place, zoneData: String) async throws {
        let leader = try place.open("leader")
        var read = change([file("a", "x")], hash: "1")
        read.zoneData = zoneData
        try await leader.publish(read, now: now)
        try await leader.close()
    }
}

extension PublishedFiles {
    /// A file whose content is that of the base is behind, whether that was replaced or not.
    fileprivate var withoutBase: PublishedFiles {
        var other = self
        for path in replaced.keys { other.replaced[path]?.remove(base[path]) }
        other.replaced = other.replaced.filter { !$0.value.isEmpty }
        return other
    }
}
