import PostgresTestServer
import Testing
import TminusCore
import TminusStorage

@testable import TminusPostgres
@testable import TminusTestKit

/// The connection is lost after COMMIT was sent. Only the server knows whether the commit was written.
@Suite(
    "PostgreSQL store: lost answers", .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct LostAnswerTests {
    private let now = Timestamp.fixture(200)

    private let commit = Commit(
        sinks: [.fixture()], firings: [.fixture()],
        claim: ClaimRequest(
            owner: "here", limit: 10, otherRoom: 10, until: .fixture(1_000)))

    private func end(_ cluster: Cluster, _ condition: String) throws {
        try cluster.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(condition)")
    }

    private func number(_ cluster: Cluster, _ sql: String) throws -> Int64? {
        let connection = try cluster.connection()
        defer { connection.finish() }
        return try Transaction(on: connection).number(sql)
    }

    @Test("a commit that was written, and whose answer was lost, is not written again: the same claims come back")
    func written() async throws {
        let cluster = try await Cluster.started()
        let place = try await Place(cluster)
        let store = try place.open()
        // The commit is in the log of the server, and waits for a standby that does not exist.
        try cluster.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()")
        let first = Task { [commit, now] in try await store.commit(commit, now: now) }
        try await Bounded.value("the commit to wait") {
            let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            // PostgreSQL has no event for a commit that waits for a standby, so ask again.
            while try number(cluster, waiting) == 0 { try await Task.sleep(for: .milliseconds(20)) }
        }
        try end(cluster, "wait_event = 'SyncRep'")
        let error = await #expect(throws: StoreError.self) { try await first.value }
        #expect(error?.kind == .uncertain)
        try cluster.run("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
        let again = try await store.commit(commit, now: now)
        #expect(again.claimed.map(\.id) == Firing.fixture().ids)
        #expect(
            try number(cluster, "SELECT count(*) FROM \(place.schema.quoted).delivery WHERE state = 'claimed'") == 1)
        let token = try #require(again.claimed.first?.claim.token)
        _ = try await store.commit(
            Commit(settlements: [Settlement(token: token, id: again.claimed[0].id, outcome: .delivered)]), now: now)
        let states = try await store.deliveries(DeliveryFilter(limit: 10)).map(\.state)
        #expect(states == [.delivered], "the claim that came back is the one in the database")
        #expect(try number(cluster, "SELECT count(*) FROM \(place.schema.quoted).commit_mark") == 1)
        try await store.close()
    }

    @Test("a commit that was not written, although it was sent, is written when it is repeated")
    func notWritten() async throws {
        let cluster = try await Cluster.started()
        let place = try await Place(cluster)
        let store = try place.open()
        let schema = place.schema.quoted
        try cluster.run(
            """
            CREATE FUNCTION \(schema).cut() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(10); RETURN NULL; END'
            """,
            """
            CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON \(schema).commit_mark DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION \(schema).cut()
            """)
        let error = await #expect(throws: StoreError.self) { _ = try await store.commit(commit, now: now) }
        #expect(error?.kind == .uncertain)
        #expect(try number(cluster, "SELECT count(*) FROM \(schema).delivery") == 0)
        try cluster.run("DROP TRIGGER cut ON \(schema).commit_mark")
        let again = try await store.commit(commit, now: now)
        #expect(again.claimed.map(\.id) == Firing.fixture().ids)
        try await store.close()
    }

    @Test("while the database does not answer, the commit stays uncertain")
    func stillUncertain() async throws {
        let cluster = try await Cluster.started()
        let store = try await Place(cluster).open()
        try cluster.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()")
        let first = Task { [commit, now] in try await store.commit(commit, now: now) }
        try await Bounded.value("the commit to wait") {
            let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            // PostgreSQL has no event for a commit that waits for a standby, so ask again.
            while try number(cluster, waiting) == 0 { try await Task.sleep(for: .milliseconds(20)) }
        }
        try cluster.run("ALTER SYSTEM RESET synchronous_standby_names")
        try await cluster.stop()
        let error = await #expect(throws: StoreError.self) { try await first.value }
        #expect(error?.kind == .uncertain)
        let second = await #expect(throws: StoreError.self) { _ = try await store.commit(commit, now: now) }
        #expect(second?.kind == .uncertain)
        try await cluster.start()
        try await Bounded.value("the store to go on") { [commit, now] in
            // A store connects again only when it is asked.
            while (try? await store.commit(commit, now: now)) == nil { try await Task.sleep(for: .milliseconds(50)) }
        }
        let states = try await store.deliveries(DeliveryFilter(limit: 10)).map(\.state)
        #expect(states == [.claimed])
        try await store.close()
    }

    /// What a leader writes, and a failover loses.
    enum Lost: CaseIterable {
        case firings
        case files
    }

    @Test(
        "a leader whose database has lost what is durable is refused, and told; lost ends of attempts are no reason",
        arguments: Lost.allCases)
    func lostHistory(lost: Lost) async throws {
        let cluster = try await Cluster.started()
        let place = try await Place(cluster)
        let store = try place.open()
        let first = try await store.commit(commit, now: now)
        let token = try #require(first.claimed.first?.claim.token)
        try await cluster.makeStandby()
        let end = Commit(settlements: [Settlement(token: token, id: first.claimed[0].id, outcome: .delivered)])
        _ = try await store.commit(end, now: now)
        try await cluster.promoteStandby()
        let next = Commit(firings: [.fixture("next")])
        try await repeated { _ = try await store.commit(next, now: now) }
        try await cluster.makeStandby()
        switch lost {
        case .firings: _ = try await store.commit(Commit(firings: [.fixture("lost")]), now: now)
        case .files:
            let change = PublishedChange(changed: [], forgotten: [], hash: "1", isWhole: true)
            try await store.publish(change, now: now)
        }
        try await cluster.promoteStandby()
        let error = await #expect(throws: StoreError.self) {
            try await repeated { _ = try await store.commit(Commit(firings: [.fixture("later")]), now: now) }
        }
        #expect(error?.kind == .locked && error?.message.contains("has lost what it acknowledged") == true)
        var events = store.events.makeAsyncIterator()
        while case let event? = await events.next() {
            guard case .refused(let told) = event else { continue }
            #expect(told == error)
            break
        }
        try await store.close()
        let again = try place.open()
        _ = try await again.commit(Commit(firings: [.fixture("lost")]), now: now)
        let found = try await again.deliveries(DeliveryFilter(limit: 10)).map(\.definition.rawValue)
        #expect(Set(found) == ["tea", "next", "lost"])
        try await again.close()
    }

    /// Repeats what fails while the connection is made anew.
    private func repeated(_ body: () async throws -> Void) async throws {
        for _ in 0..<600 {
            do { return try await body() } catch let error as StoreError where error.kind == .other {
                // A server that starts tells nobody when it can be reached, so ask again.
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        try await body()
    }
}
