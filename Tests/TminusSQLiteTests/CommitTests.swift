import GRDB
import Glibc
import Testing
import TminusCore
import TminusStorage

@testable import TminusSQLite

@Suite("SQLite store: commits")
struct CommitTests {
    private let scratch: Scratch
    private let store: SQLiteStore

    init() throws {
        scratch = try Scratch()
        store = try SQLiteStore(path: scratch.path)
    }

    private func commit(_ commit: Commit, at second: Int64 = 0) async throws -> Committed {
        try await store.commit(commit, now: .at(second))
    }

    private func rows() async throws -> [String] {
        try await store.perform { db in
            try ["schedule", "sink", "firing", "delivery", "attempt", "omission", "general_mute"].flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map(\.description)
            }
        }
    }

    @Test("an empty commit opens no transaction")
    func empty() async throws {
        #expect(rename(scratch.path, scratch.path + ".away") == 0)
        #expect(try await commit(Commit()) == Committed())
    }

    @Test("a repeated commit changes nothing but the claims it makes of what is still free")
    func repeated() async throws {
        let before = try await commit(Commit(firings: [.sample("old")], claim: .sample()))
        let settlement = Settlement(
            token: before.claimed[0].claim.token, id: before.claimed[0].id, outcome: .dead(reason: "no"),
            firings: [try .sample("old", .failure(of: before.claimed[0].id, attempt: 1), to: ["alarm"])])
        let whole = Commit(
            sinks: [SinkSpec(name: "chat", kind: "stdout", options: Node(.mapping([])), directory: "/")],
            settlements: [settlement],
            schedules: [
                ScheduleState(
                    id: try #require(DefinitionID("a")), kind: .timer, fingerprint: 1, leads: 2, phase: .armed,
                    cursor: .at(0))
            ], firings: try (0..<20).map { try .sample("t\($0)", to: ["chat", "mail"]) },
            omissions: [
                Omission(
                    definition: try #require(DefinitionID("a")), occurrence: .at(0), action: .expiry, due: .at(0),
                    reason: .tooLate)
            ], mute: .until(Overrides.Mute(until: .at(9), origin: Overrides.Origin(by: "me", at: .at(0)))),
            claim: .sample())
        #expect(try await commit(whole).claimed.count == 41)
        let written = try await rows()
        #expect(try await commit(whole, at: 1).claimed.isEmpty)
        #expect(try await rows() == written)
    }

    @Test("waiting deliveries are claimed before new ones, within capacity and limit")
    func waitingFirst() async throws {
        try await store.write(["a", "b"].map { try .sample($0, at: 0) })
        let request = ClaimRequest(
            owner: "me", limit: 5, room: [SinkKey("chat"): 3], otherRoom: 3, until: .at(60))
        let firings =
            try ["c", "d"].map { try Firing.sample($0, at: -5) } + (0..<3).map { try .sample("m\($0)", to: ["mail"]) }
        let claimed = try await commit(Commit(firings: firings, claim: request), at: 1).claimed
        #expect(claimed.map(\.definition.rawValue) == ["a", "b", "c", "m0", "m1"])
        #expect(try await store.claim(at: 1).map(\.definition.rawValue) == ["d", "m2"])
    }

    @Test("what a firing replaces or runs behind is not claimed first", arguments: [Overlap.skip, .replace])
    func overlap(_ overlap: Overlap) async throws {
        try await store.write([.sample("tea", at: -2, overlap: overlap)], at: -2)
        let firings = [try Firing.sample("tea", at: -1, overlap: overlap), try .sample("tea", overlap: overlap)]
        let committed = try await commit(Commit(firings: firings, claim: .sample(limit: 1)))
        let isReplaced = overlap == .replace
        #expect(committed.claimed.map(\.occurrence) == [isReplaced ? .at(0) : .at(-2)])
        let skipped = "skipped: \(Overlap.replacedReason)"
        let expected = isReplaced ? [skipped, skipped, "claimed"] : ["claimed", "queued", "queued"]
        #expect(try await store.states() == expected)
        #expect(committed.replaced.isEmpty)
    }

    @Test("a withdrawal skips what waits, marks what is claimed, and leaves failures, tests and others alone")
    func withdrawal() async throws {
        let running = try await commit(Commit(firings: [.sample("tea", at: -1)], claim: .sample())).claimed[0]
        let other = try await commit(Commit(firings: [.sample("tea", to: ["x"])], claim: .sample(owner: "other")))
            .claimed[0]
        try await store.write([
            .sample("tea"), .sample("tea", to: ["mail"]), .sample("tea", .test(of: .expiry, at: .at(0))),
            .sample("tea", .failure(of: running.id, attempt: 1), to: ["mail"]), .sample("calm"),
        ])
        let tea = running.definition
        let withdrawals = [Withdrawal(tea, .muted), Withdrawal(tea, .disabled), Withdrawal(nil, .removed)]
        let committed = try await commit(Commit(withdrawals: withdrawals, claim: .sample(limit: 9)))
        #expect(committed.withdrawn == [running.claim.token])
        #expect(committed.claimed.map { "\($0.definition) \($0.sink)" } == ["tea mail", "calm chat"])
        let muted = "skipped: it was muted"
        #expect(
            try await store.states() == ["claimed", "claimed", muted, muted, "queued", "claimed", "claimed"])
        try await store.settle([running], .retry(at: .at(5), reason: "busy"), at: 2)
        try await store.settle([other], at: 2)
        #expect(try await store.states() == [muted, "delivered", muted, muted, "pending", "claimed", "claimed"])
        let record = try #require(try await store.deliveries(DeliveryFilter(ids: [running.id])).first)
        #expect(record.log.map(\.outcome) == [.retry])
        #expect(record.log.map(\.reason) == ["busy"])
        #expect(record.attempts == 1 && record.settled == .at(2))
    }

    @Test("a released claim that was withdrawn is skipped, and the next of its chain has its turn")
    func releaseWithdrawn() async throws {
        let reminder = FiringAction.reminder(CalendarSpan(nanoseconds: 5), .before)
        _ = try await commit(Commit(firings: [.sample("tea", at: -1, reminder)], claim: .sample()))
        try await store.write([.sample("tea"), .sample("calm")])
        let tea = try #require(DefinitionID("tea"))
        _ = try await commit(Commit(withdrawals: [Withdrawal(tea, .removed)]))
        let skipped = "skipped: the definition was removed"
        #expect(try await store.releaseClaims(.ofFormerOwners, owner: "next", now: .at(3)).count == 1)
        #expect(try await store.states() == [skipped, "pending", "pending"])
        let record = try #require(try await store.deliveries(DeliveryFilter(limit: 3)).last)
        #expect(record.log.map(\.outcome) == [.interrupted])
    }

    @Test("20,000 open deliveries of one definition, of all, and of as many definitions are withdrawn at once")
    func manyWithdrawals() async throws {
        let count = 20_000
        let one = try #require(DefinitionID("tea"))
        let chain = try (0..<count).map { try Firing.sample("tea", at: Int64($0)) }
        let many = try (0..<count).map { try Firing.sample("t\($0)") }
        let left = {
            try await store.perform { try Int.fetchOne($0, sql: "SELECT count(*) FROM delivery WHERE settled IS NULL") }
        }
        try await store.write(chain + many)
        _ = try await commit(Commit(withdrawals: [Withdrawal(one, .disabled)]))
        #expect(try await left() == count)
        _ = try await commit(Commit(withdrawals: many.map { Withdrawal($0.definition, .disabled) }))
        #expect(try await left() == 0)
        try await store.write(
            chain.map { firing in
                var firing = firing
                firing = Firing(
                    definition: firing.definition, occurrence: firing.occurrence.advanced(by: .seconds(count)),
                    action: .expiry, due: firing.due, payload: firing.payload, sinks: [SinkKey("chat")])
                return firing
            })
        _ = try await commit(Commit(withdrawals: [Withdrawal(nil, .muted)]))
        #expect(try await left() == 0)
    }

    @Test("deliveries to a sink that is retired wait, until it returns or has been gone for long")
    func retired() async throws {
        let chat = SinkSpec(name: "chat", kind: "stdout", options: Node(.mapping([])), directory: "/")
        let inline = SinkSpec(name: nil, kind: "exec", options: Node(.scalar("true")), directory: "/")
        let firing = try Firing.sample("tea", to: ["chat", inline.key.rawValue, "never"])
        _ = try await commit(Commit(sinks: [chat, inline]))
        let removal = Commit(sinks: [], firings: [firing], claim: .sample(limit: 9))
        let committed = try await commit(removal, at: 10)
        #expect(committed.claimed.map(\.sink) == [inline.key, SinkKey("never")])
        #expect(committed.sinks == [inline])
        #expect(try await commit(Commit(sinks: []), at: 20).claimed.isEmpty)
        try await store.prune(.standard, now: .at(90 * 86_400))
        var request = ClaimRequest.sample()
        request.removedBefore = .at(10)
        #expect(try await store.claim(request, at: 30).isEmpty)
        request.removedBefore = .at(11)
        let given = try await commit(Commit(claim: request), at: 30)
        #expect(given.claimed.map(\.sink) == [SinkKey("chat")])
        #expect(given.sinks.isEmpty)
        try await store.settle(given.claimed, .retry(at: .at(31), reason: "gone"), at: 30)
        let back = try await commit(Commit(sinks: [chat], claim: .sample()), at: 31)
        #expect(back.claimed.map(\.sink) == [SinkKey("chat")])
        #expect(back.sinks == [chat])
        request.room = [SinkKey("chat"): 1]
        try await store.settle(back.claimed, .retry(at: .at(32), reason: "gone"), at: 32)
        #expect(try await commit(Commit(claim: request), at: 32).sinks.isEmpty, "the request names it")
    }

    @Test("discard covers all states but delivered and skipped, and unblocks queued deliveries")
    func discard() async throws {
        let firings = try (0..<4).map { try Firing.sample("t\($0)") }
        var claimed = try await commit(Commit(firings: firings, claim: .sample(limit: 9))).claimed
        try await store.settle([claimed[0]])
        try await store.settle([claimed[1]], .dead(reason: "no"))
        try await store.settle([claimed[2]], .retry(at: .at(0), reason: "busy"))
        try await store.write([.sample("t3", at: 1), .sample("t3", at: 2)], at: 2)
        let ids = try await store.deliveries(DeliveryFilter()).filter { $0.occurrence != .at(2) }.map(\.id)
        #expect(try await store.discard(DeliveryFilter(ids: ids + [.unknown]), now: .at(3)).deliveries.count == 4)
        let plain = "discarded: discarded by a user"
        let states = ["delivered", "discarded: no", "discarded: busy", plain, plain, "pending"]
        #expect(try await store.states() == states)
        #expect(try await store.settle([claimed[3]], at: 4) == Committed())
        #expect(try await store.states() == states)
        #expect(try await store.discard(DeliveryFilter(ids: ids), now: .at(5)) == Discarded())
        let logs = try await store.deliveries(DeliveryFilter()).reversed().map { $0.log.map(\.number) }
        #expect(logs == [[1], [1], [1], [], [], []])
        claimed = try await store.claim(at: 5)
        #expect(claimed.map(\.occurrence) == [.at(2)])
    }

    @Test("100,000 ids are discarded without a scan of the history for each")
    func discardMany() async throws {
        let firings = try (0..<20_000).map { try Firing.sample("t\($0)") }
        try await store.write(firings)
        let unknown = try (0..<80_000).map { try Firing.sample("u\($0)").targets[0].delivery }
        let ids = firings.map { $0.targets[0].delivery } + unknown
        let all = DeliveryFilter(ids: ids, limit: ids.count)
        #expect(try await store.discard(all, now: .at(1)).deliveries.count == 20_000)
    }
}
