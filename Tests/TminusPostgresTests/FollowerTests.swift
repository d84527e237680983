import Foundation
import PostgresTestServer
import Testing
import TminusCore
import TminusStorage

@testable import TminusPostgres
@testable import TminusTestKit

/// A leader and its followers, each with its own connection to one store.
@Suite(
    "PostgreSQL store: followers", .timeLimit(.minutes(20)),
    .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct FollowerTests {
    private let now = Timestamp.fixture(200)

    private func claim(_ owner: String, limit: Int = 100) -> ClaimRequest {
        var request = ClaimRequest.fixture(at: 200, limit: limit, owner: owner)
        request.isFollower = true
        return request
    }

    /// A leader that has begun to claim, as it does once it knows its definitions.
    private func leader(_ place: Place) async throws -> PostgresStore {
        let leader = try place.open("leader", run: "leader")
        _ = try await leader.commit(Commit(claim: .fixture(at: 200, limit: 0, owner: "leader")), now: now)
        return leader
    }

    private func look(_ leader: PostgresStore, after last: Int64 = 0) async throws -> FleetState {
        try await leader.look(after: last, releasing: .ofSilent, knowing: [], owner: "leader", now: now)
    }

    private func follower(_ place: Place, _ name: String = "one", lease: Duration = .seconds(10)) throws
        -> PostgresStore
    {
        try place.open(name, run: name, as: .follower, lease: lease)
    }

    private func number(_ place: Place, _ sql: String) throws -> Int64? {
        let connection = try place.cluster.connection()
        defer { connection.finish() }
        return try Transaction(on: connection).number(sql)
    }

    private func tokens(_ claims: [HeldClaim]) -> Set<String> { Set(claims.map(\.token)) }

    private func sink(_ name: String, _ option: String, _ value: String) -> SinkSpec {
        var spec = SinkSpec.fixture(name)
        guard case .mapping(let entries) = spec.options.content else { return spec }
        spec.options = Node(.mapping(entries + [Node.Entry(key: option, value: Node(.scalar(value)))]))
        return spec
    }

    @Test("a follower claims for the sinks that run anywhere, and gets the present spec of each")
    func claims() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place))
        var log = SinkSpec.fixture("log")
        log.usualPlace = .leader
        let sinks = [
            .fixture("chat"), log, sink("own", "run-on", "leader"), sink("slow", "rate-limit", "1/min"),
            sink("free", "run-on", "any"),
        ]
        let firing = Firing.fixture(to: ["chat", "log", "own", "slow", "free", "gone"])
        _ = try await leader.commit(Commit(sinks: sinks, firings: [firing]), now: now)
        let first = try await follower.commit(Commit(claim: claim("one")), now: now)
        #expect(Set(first.claimed.map(\.sink.rawValue)) == ["chat", "free"])
        #expect(Set(first.sinks.map(\.title)) == ["chat", "free"])
        #expect(first.held?.isEmpty == true)
        let edited = SinkSpec.fixture("chat", command: "false")
        let later = Firing.fixture("coffee", to: ["chat"])
        _ = try await leader.commit(Commit(sinks: [edited], firings: [later]), now: now)
        let second = try await follower.commit(Commit(claim: claim("one")), now: now)
        #expect(second.sinks == [edited])
        #expect(second.held.map(tokens) == Set(first.claimed.map(\.claim.token)))
        try await follower.close()
        try await leader.close()
    }

    @Test("a follower claims for the sinks that ask for its labels, and the leader knows what it says of itself")
    func labels() async throws {
        let place = try await Place()
        let leader = try await leader(place)
        let own = Set([MachineLabel("backup"), MachineLabel("host=b")].compactMap(\.self))
        let facts = FleetMachine(process: "b, process 7", version: "1.2", started: .fixture(5), labels: own)
        let follower = try place.open("one", run: "one", as: .follower, facts: facts)
        let sinks = [
            SinkSpec.fixture("here").asking(for: "backup"), .fixture("there").asking(for: "backup", "zone=eu"),
        ]
        _ = try await leader.commit(Commit(sinks: sinks, firings: [.fixture(to: ["here", "there"])]), now: now)
        var request = claim("one")
        request.labels = own
        let claimed = try await follower.commit(Commit(claim: request), now: now).claimed
        #expect(claimed.map(\.sink.rawValue) == ["here"])
        #expect(try await look(leader).followers == [facts])
        try await follower.close()
        let older = try self.follower(place)
        #expect(try await look(leader).followers == [FleetMachine(process: "one, process 7")])
        try await older.close()
        try await leader.close()
    }

    @Test("a leader learns which claims it has after a new connection, and gives back one whose end a crash has lost")
    func lostEnd() async throws {
        let place = try await Place(Cluster.started())
        let leader = try await leader(place)
        let request = ClaimRequest.fixture(at: 200, owner: "leader")
        _ = try await leader.commit(Commit(sinks: [.fixture("chat")], firings: [.fixture(to: ["chat"])]), now: now)
        let first = try await leader.commit(Commit(claim: request), now: now)
        let claimed = first.claimed[0]
        let token = claimed.claim.token
        let end = Settlement(token: token, id: claimed.id, outcome: .delivered)
        _ = try await leader.commit(Commit(settlements: [end]), now: now)
        // What a crash of the server leaves of that.
        try place.cluster.run(
            """
            UPDATE \(place.schema.quoted).delivery SET state = 'claimed', settled = NULL, next_attempt = 1, claim_token = '\(token)',
                claim_owner = 'leader', claim_until = 9000000000000000000
            """)
        try place.cluster.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE 'COMMIT%'"
        )
        let next = try await leader.commit(Commit(claim: request), now: now)
        #expect(next.held == [HeldClaim(token: token, delivery: claimed.id, definition: claimed.definition)])
        let lost = Settlement(token: token, id: claimed.id, outcome: .retry(at: now, reason: "lost"), report: nil)
        let again = try await leader.commit(Commit(settlements: [lost], claim: request), now: now)
        #expect(again.claimed.map(\.id) == [claimed.id])
        try await leader.close()
    }

    @Test("each attempt names the machine that made it, also if it had nothing else to report")
    func machines() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place))
        _ = try await leader.commit(Commit(sinks: [.fixture("chat")], firings: [.fixture(to: ["chat"])]), now: now)
        let claimed = try await follower.commit(Commit(claim: claim("one")), now: now).claimed[0]
        let busy = Settlement(
            token: claimed.claim.token, id: claimed.id, outcome: .retry(at: now, reason: "busy"),
            report: DeliveryReport(exitStatus: 75))
        _ = try await follower.commit(Commit(settlements: [busy]), now: now)
        let again = try await leader.commit(Commit(claim: .fixture(at: 200, owner: "leader")), now: now).claimed[0]
        _ = try await leader.commit(
            Commit(settlements: [Settlement(token: again.claim.token, id: again.id, outcome: .delivered)]), now: now)
        let reports = try await leader.deliveries(DeliveryFilter(limit: 1))[0].log.map(\.report)
        #expect(reports.map(\.machine) == ["one, process 7", "leader, process 7"])
        #expect(reports.map(\.exitStatus) == [75, nil])
        try await follower.close()
        try await leader.close()
    }

    @Test("the leader hears of each attempt of a follower until it has asked again, and of the end of an expiry")
    func news() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place))
        let firing = Firing.fixture(to: ["chat"])
        _ = try await leader.commit(
            Commit(sinks: [.fixture()], schedules: [.fixture(waitingFor: firing)], firings: [firing]), now: now)
        let first = try await follower.commit(Commit(claim: claim("one")), now: now).claimed[0]
        let second = try await follower.commit(
            Commit(settlements: [.fixture(first, .busy(until: 150))], claim: claim("one")), now: now
        ).claimed[0]
        let retried = try await look(leader)
        #expect(retried.news.outcomes == [first.id: .busy(until: 150)])
        #expect(retried.news.endedExpiries == [])
        #expect(retried.followers.map(\.process) == ["one, process 7"])
        _ = try await follower.commit(Commit(settlements: [.fixture(second)]), now: now)
        for _ in 0..<2 {
            let ended = try await look(leader, after: retried.last)
            #expect(ended.news.outcomes == [first.id: .delivered], "an answer that was lost comes again")
            #expect(ended.news.definitions == [firing.definition])
            #expect(
                ended.news.endedExpiries == [EndedExpiry(definition: firing.definition, occurrence: firing.occurrence)])
        }
        let last = try #require(try number(place, "SELECT max(id) FROM \(place.schema.quoted).followed_attempt"))
        #expect(try await look(leader, after: last).news.outcomes.isEmpty)
        try await follower.close()
        try await leader.close()
    }

    @Test("the claims of a follower that has ended are released, and what it settles later counts for nothing")
    func ended() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place, lease: .seconds(600)))
        _ = try await leader.commit(Commit(sinks: [.fixture()], firings: [.fixture()]), now: now)
        let claimed = try await follower.commit(Commit(claim: claim("one")), now: now).claimed
        #expect(try await look(leader).released.count == 0)
        try place.cluster.run("UPDATE \(place.schema.quoted).follower SET expires_at = now() - interval '1 second'")
        let state = try await look(leader)
        #expect(state.released.count == 1)
        #expect(state.followers == [])
        let taken = try await leader.commit(Commit(claim: .fixture(at: 200, owner: "leader")), now: now).claimed
        #expect(taken.map(\.id) == claimed.map(\.id))
        let late = try await follower.commit(
            Commit(settlements: [.fixture(claimed[0])], claim: claim("one")), now: now)
        #expect(late.held == [], "so it ends what it has in hand")
        #expect(late.claimed == [])
        #expect(try await leader.deliveries(DeliveryFilter(limit: 10)).map(\.state) == [.claimed])
        #expect(
            try await look(leader).followers.map(\.process) == ["one, process 7"], "it is back")
        try await follower.close()
        try await leader.close()
    }

    @Test("after an outage in which nobody could renew anything, a follower keeps its claims")
    func outage() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place, lease: .seconds(600)))
        _ = try await leader.commit(Commit(sinks: [.fixture()], firings: [.fixture()]), now: now)
        let claimed = try await follower.commit(Commit(claim: claim("one")), now: now).claimed
        try place.cluster.run("UPDATE \(place.schema.quoted).follower SET expires_at = now() - interval '1 second'")
        #expect(
            try await leader.look(after: 0, releasing: .ofClosed, knowing: [], owner: "leader", now: now).released.count
                == 0)
        #expect(
            try await follower.commit(Commit(claim: claim("one")), now: now).held.map(tokens)
                == Set(claimed.map(\.claim.token)))
        #expect(try await look(leader).released.count == 0, "it has renewed its row")
        try await follower.close()
        try await leader.close()
    }

    @Test("a follower claims nothing before the leader knows its definitions, but settles what it has claimed")
    func notReady() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place))
        let firings = [Firing.fixture("a"), .fixture("b")]
        _ = try await leader.commit(Commit(sinks: [.fixture()], firings: firings), now: now)
        let claimed = try await follower.commit(Commit(claim: claim("one", limit: 1)), now: now).claimed[0]
        try await leader.close()
        let next = try place.open("two", run: "two")
        let settled = try await follower.commit(
            Commit(settlements: [.fixture(claimed)], claim: claim("one")), now: now)
        #expect(settled.claimed == [])
        #expect(try await next.deliveries(DeliveryFilter(states: [.delivered], limit: 10)).map(\.id) == [claimed.id])
        _ = try await next.commit(Commit(claim: .fixture(at: 200, limit: 0, owner: "two")), now: now)
        #expect(try await follower.commit(Commit(claim: claim("one")), now: now).claimed.count == 1)
        try await follower.close()
        try await next.close()
    }

    @Test("an expiry ends when a follower skips its last delivery")
    func skippedExpiry() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place))
        let firing = Firing.fixture()
        _ = try await leader.commit(
            Commit(sinks: [.fixture()], schedules: [.fixture(waitingFor: firing)], firings: [firing]), now: now)
        let claimed = try await follower.commit(Commit(claim: claim("one")), now: now).claimed[0]
        _ = try await leader.commit(Commit(withdrawals: [Withdrawal(firing.definition, .muted)]), now: now)
        // It had not begun, so that was no attempt.
        _ = try await follower.commit(
            Commit(settlements: [.fixture(claimed, .busy(until: 150), report: nil)]), now: now)
        #expect(
            try await look(leader).news.endedExpiries == [
                EndedExpiry(definition: firing.definition, occurrence: firing.occurrence)
            ])
        try await follower.close()
        try await leader.close()
    }

    @Test("an expiry that is snoozed has not ended, although none of its deliveries is open")
    func snoozed() async throws {
        let place = try await Place()
        let leader = try await leader(place)
        var state = ScheduleState.fixture(waitingFor: .fixture())
        _ = try await leader.commit(Commit(schedules: [state]), now: now)
        #expect(try await look(leader).news.endedExpiries.count == 1)
        state.overrides.snooze = Overrides.Snooze(
            occurrence: Firing.fixture().occurrence, until: .fixture(900), origin: .fixture(note: nil))
        _ = try await leader.commit(Commit(schedules: [state]), now: now)
        #expect(try await look(leader).news.endedExpiries == [])
        try await leader.close()
    }

    @Test("the claims of a follower do not expire, those of others do")
    func expired() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place, lease: .seconds(600)))
        _ = try await leader.commit(Commit(sinks: [.fixture()], firings: [.fixture()]), now: now)
        _ = try await follower.commit(Commit(claim: claim("one")), now: now)
        let later = Timestamp.fixture(100_000)
        #expect(try await leader.releaseClaims(.expired, owner: "leader", now: later).count == 0)
        try place.cluster.run("UPDATE \(place.schema.quoted).delivery SET claim_owner = 'somebody'")
        #expect(try await leader.releaseClaims(.expired, owner: "leader", now: now).count == 0)
        #expect(try await leader.releaseClaims(.expired, owner: "leader", now: later).count == 1)
        try await follower.close()
        try await leader.close()
    }

    @Test("the claims of a follower that closed its store are released at once")
    func closed() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place, lease: .seconds(600)))
        _ = try await leader.commit(Commit(sinks: [.fixture()], firings: [.fixture()]), now: now)
        _ = try await follower.commit(Commit(claim: claim("one")), now: now)
        try await follower.close()
        #expect(try await look(leader).released.count == 1)
        try await leader.close()
    }

    @Test("the next leader releases what the former one had claimed, and leaves a follower its claims")
    func nextLeader() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place))
        let firings = [Firing.fixture("a"), .fixture("b")]
        _ = try await leader.commit(Commit(sinks: [.fixture()], firings: firings), now: now)
        let followed = try await follower.commit(Commit(claim: claim("one", limit: 1)), now: now).claimed
        _ = try await leader.commit(Commit(claim: .fixture(at: 200, owner: "leader")), now: now)
        try await leader.close()
        let next = try place.open("two", run: "two")
        let released = try await next.releaseClaims(.ofFormerOwners, owner: "two", now: now)
        #expect(released.count == 1)
        let claimed = try await next.deliveries(DeliveryFilter(states: [.claimed], limit: 10)).map(\.id)
        #expect(claimed == followed.map(\.id))
        try await follower.close()
        try await next.close()
    }

    @Test(
        "a leader and three followers that write at once make each delivery once, and keep the order of each definition"
    )
    func turns() async throws {
        let place = try await Place()
        let leader = try await leader(place)
        _ = try await leader.commit(Commit(sinks: [.fixture()]), now: now)
        let (definitions, rounds) = (5, 30)
        let order = Watched<[DefinitionID: [Timestamp]]>([:])
        let written = Watched(false)
        try await withThrowingTaskGroup { group in
            for name in ["one", "two", "three"] {
                let follower = try follower(place, name)
                group.addTask {
                    while true {
                        let isLast = written.value
                        let claimed = try await follower.commit(Commit(claim: claim(name, limit: 3)), now: now).claimed
                        // Before the settlement, after which another one may claim the next.
                        order.update { order in
                            for delivery in claimed {
                                order[delivery.definition, default: []].append(delivery.occurrence)
                            }
                        }
                        if !claimed.isEmpty {
                            _ = try await follower.commit(
                                Commit(settlements: claimed.map { .fixture($0) }), now: now)
                        } else if isLast, try await follower.standing().sinks.isEmpty {
                            return try await follower.close()
                        }
                    }
                }
            }
            for round in 0..<rounds {
                let firings = (0..<definitions).map { Firing.fixture("d\($0)", at: Int64(round)) }
                _ = try await leader.commit(Commit(firings: firings), now: now)
            }
            written.update { $0 = true }
            try await group.waitForAll()
        }
        let expected = (0..<rounds).map { Timestamp.fixture(Int64($0)) }
        for definition in 0..<definitions { #expect(order.value[.fixture("d\(definition)")] == expected) }
        try await leader.close()
    }

    @Test("a follower hears of what the leader withdraws, and what it then settles as a retry is not repeated")
    func withdrawn() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place))
        let firing = Firing.fixture()
        _ = try await leader.commit(Commit(sinks: [.fixture()], firings: [firing]), now: now)
        let claimed = try await follower.commit(Commit(claim: claim("one")), now: now).claimed[0]
        _ = try await leader.commit(
            Commit(withdrawals: [Withdrawal(firing.definition, .muted)]), now: now)
        let told = try await follower.commit(Commit(claim: claim("one")), now: now)
        #expect(told.withdrawn == [claimed.claim.token] && told.held.map(tokens) == [claimed.claim.token])
        _ = try await follower.commit(Commit(settlements: [.fixture(claimed, .busy(until: 150))]), now: now)
        #expect(try await leader.deliveries(DeliveryFilter(limit: 10)).map(\.state) == [.skipped])
        try await follower.close()
        try await leader.close()
    }

    @Test("a follower writes nothing while the leader is of an older program")
    func older() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place))
        try place.cluster.run("UPDATE \(place.schema.quoted).lease SET shared = false")
        let error = await #expect(throws: StoreError.self) {
            _ = try await follower.commit(Commit(claim: claim("one")), now: now)
        }
        #expect(error?.message.contains("of another version") == true)
        #expect(throws: StoreError.self) { _ = try self.follower(place, "two") }
        try await follower.close()
        try await leader.close()
    }

    @Test("a store is not moved while a follower delivers from it")
    func move() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place))
        try await leader.close()
        func move() throws -> PostgresStore {
            try PostgresStore(
                try PostgresAddress(place.cluster.address), schema: place.schema, machine: "mover", process: "mover",
                for: .moveSource)
        }
        let error = #expect(throws: StoreError.self) { _ = try move() }
        #expect(error?.message.contains("one, process 7") == true)
        try await follower.close()
        let mover = try move()
        #expect(throws: StoreError.self, "none begins meanwhile") { _ = try self.follower(place) }
        try await mover.close()
    }

    @Test("what one writes wakes the others")
    func wakes() async throws {
        let place = try await Place()
        let (leader, follower) = (try await leader(place), try follower(place))
        _ = try await look(leader)
        var wakes = follower.wakes.makeAsyncIterator()
        // The first one comes when it has begun to listen.
        await wakes.next()
        _ = try await leader.commit(Commit(sinks: [.fixture()], firings: [.fixture()]), now: now)
        await wakes.next()
        let claimed = try await follower.commit(Commit(claim: claim("one")), now: now).claimed
        #expect(claimed.count == 1)
        try await follower.close()
        try await leader.close()
    }

    @Test("a follower that did not listen yet when the leader ended looks once it does")
    func leaderEndsUnheard() async throws {
        let place = try await Place()
        try await leader(place).close()
        let follower = try follower(place)
        var ends = follower.leaderEnds.makeAsyncIterator()
        #expect(await ends.next() != nil)
        try await follower.close()
    }

    @Test("a follower's commit that was not written, although it was sent, is written when it is repeated")
    func lostCommit() async throws {
        let cluster = try await Cluster.started()
        let place = try await Place(cluster)
        let (leader, follower) = (try await leader(place), try follower(place, lease: .seconds(600)))
        _ = try await leader.commit(Commit(sinks: [.fixture()], firings: [.fixture()]), now: now)
        let schema = place.schema.quoted
        try cluster.run(
            """
            CREATE FUNCTION \(schema).cut() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(10); RETURN NULL; END'
            """,
            """
            CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON \(schema).delivery DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION \(schema).cut()
            """)
        let commit = Commit(claim: claim("one"))
        let error = await #expect(throws: StoreError.self) { _ = try await follower.commit(commit, now: now) }
        #expect(error?.kind == .uncertain)
        try cluster.run("DROP TRIGGER cut ON \(schema).delivery")
        #expect(try await follower.commit(commit, now: now).claimed.map(\.id) == Firing.fixture().ids)
        try await follower.close()
        try await leader.close()
    }
}
