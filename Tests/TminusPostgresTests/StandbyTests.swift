import Foundation
import PostgresTestServer
import Testing
import TminusCore
import TminusStorage

@testable import TminusPostgres
@testable import TminusTestKit

/// How a store waits for the lease of another daemon.
@Suite("PostgreSQL store: standing by", .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct StandbyTests {
    /// A store that waits without end for its lease, on a thread of its own because that blocks.
    private final class Waiting: Sendable {
        private let heard: Watched<[LeaseWait.News]>
        private let wait: LeaseWait
        private let end = Watched<Result<PostgresStore, any Error>?>(nil)

        init(_ place: Place, _ machine: String, lease: Duration = .seconds(10)) {
            let heard = Watched<[LeaseWait.News]>([])
            let wait = LeaseWait(isEndless: true, tell: { news in heard.update { $0.append(news) } })
            (self.heard, self.wait) = (heard, wait)
            Thread.detachNewThread { [end] in
                let result = Result { try place.open(machine, lease: lease, wait: wait) }
                end.update { $0 = result }
            }
        }

        /// All news so far.
        var news: [LeaseWait.News] { heard.value }

        func news(_ what: String, until isWanted: @escaping @Sendable ([LeaseWait.News]) -> Bool) async throws {
            guard await heard.wait(upTo: Bounded.limit, until: isWanted) else {
                throw ConformanceFailure("expected \(what), got \(news)")
            }
        }

        func cancel() { wait.cancel() }

        /// The store, once it has the lease.
        func store() async throws -> PostgresStore {
            guard await end.wait(upTo: Bounded.limit, until: { $0 != nil }), let result = end.value else {
                throw ConformanceFailure("expected the end of the wait, got \(news)")
            }
            return try result.get()
        }
    }

    private static func isUnreachable(_ news: LeaseWait.News?) -> Bool {
        if case .unreachable = news { true } else { false }
    }

    private func number(_ place: Place, _ sql: String) throws -> Int64? {
        let connection = try place.cluster.connection()
        defer { connection.finish() }
        return try Transaction(on: connection).number(sql)
    }

    @Test("daemons that begin on an empty database at the same moment share one schema")
    func oneSchema() async throws {
        let place = try await Place()
        // Not with pauses of a task, which may last for longer than a lock is waited for.
        let first = try await Blocking.value {
            let other = try place.cluster.connection()
            defer { other.finish() }
            for statement in ["BEGIN", "CREATE SCHEMA \(place.schema.quoted)"] { try other.send(statement, []) }
            _ = try other.answers()
            let first = Waiting(place, "one")
            while try number(place, "SELECT 1 FROM pg_locks WHERE NOT granted LIMIT 1") == nil {
                // PostgreSQL has no event for a transaction that waits for a lock, so ask again.
                usleep(20_000)
            }
            try other.send("COMMIT", [])
            _ = try other.answers()
            return first
        }
        try await first.store().close()
    }

    @Test("it waits for as long as the other daemon renews its lease, and takes over when that one stops")
    func takesOver() async throws {
        let place = try await Place()
        let first = try place.open("one", lease: .seconds(600))
        let waiting = Waiting(place, "two")
        try await waiting.news("the leader") { $0 == [.held(by: "one, process 7")] }
        let term = try #require(try number(place, "SELECT max(term) FROM \(place.schema.quoted).lease"))
        // A daemon that does not wait without end is refused at the first renewal.
        for _ in 0..<5 {
            try place.cluster.run(
                "UPDATE \(place.schema.quoted).lease SET expires_at = expires_at + interval '1 second'")
            // It looks every 250 ms, and tells nobody.
            try await Task.sleep(for: .milliseconds(300))
        }
        #expect(waiting.news == [.held(by: "one, process 7")], "told once")
        try await first.close()
        let second = try await waiting.store()
        #expect(try number(place, "SELECT max(term) FROM \(place.schema.quoted).lease") == term + 1)
        try await second.close()
    }

    @Test("the wait needs no lock of the lease, so one that is stopped in its midst holds up nobody")
    func locksNothing() async throws {
        let place = try await Place()
        let first = try place.open("one", lease: .seconds(600))
        let other = try place.cluster.connection()
        defer { other.finish() }
        try other.send("BEGIN", [])
        try other.send("SELECT 1 FROM \(place.schema.quoted).lease FOR UPDATE", [])
        _ = try other.answers()
        let waiting = Waiting(place, "two")
        // With a lock it would wait for that transaction, and then say that the database does not answer.
        try await waiting.news("the leader") { $0 == [.held(by: "one, process 7")] }
        try other.send("COMMIT", [])
        _ = try other.answers()
        try await first.close()
        try await waiting.store().close()
    }

    @Test("a database that is restarted meanwhile is asked again, and each change is reported once")
    func restart() async throws {
        let place = try await Place(Cluster.started())
        // Longer than the restart takes.
        let first = try place.open("one", lease: .seconds(60))
        let waiting = Waiting(place, "two")
        let held = LeaseWait.News.held(by: "one, process 7")
        try await waiting.news("the leader") { $0 == [held] }
        try await place.cluster.stop()
        try await waiting.news("the trouble") { $0.count == 2 && Self.isUnreachable($0.last) }
        try await place.cluster.start()
        try await waiting.news("the leader again") { $0.count == 3 && $0.last == held }
        try await Bounded.value("the end of the first") {
            // A store connects again only when it is asked.
            while (try? await first.snapshot()) == nil { try await Task.sleep(for: .milliseconds(50)) }
            try await first.close()
        }
        let second = try await waiting.store()
        #expect(waiting.news.count == 3)
        try await second.close()
    }

    @Test("after an outage a leader whose lease is over may still renew it; one that has ended it may not")
    func leadersTime() async throws {
        let place = try await Place(Cluster.started())
        // It renews only every 200 s, and the other one leaves it 300 s for that.
        let first = try place.open("one", lease: .seconds(600))
        let inside = try place.cluster.connection()
        let beside = try Connection(
            try PostgresAddress("postgresql://tminus@/template1?host=\(place.cluster.directory)").settings,
            try Library.loaded.get())
        defer { for connection in [inside, beside] { connection.finish() } }
        func run(_ sql: String, _ connection: Connection) throws {
            try connection.send(sql, [])
            _ = try connection.answers()
        }
        try run("CREATE TABLE known AS SELECT pid FROM pg_stat_activity", inside)
        let waiting = Waiting(place, "two", lease: .seconds(600))
        let held = LeaseWait.News.held(by: "one, process 7")
        try await waiting.news("the leader") { $0 == [held] }
        // No connection can be made, and that one is cut.
        try run("ALTER DATABASE postgres ALLOW_CONNECTIONS false", beside)
        try run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = 'postgres' AND pid NOT IN (SELECT pid FROM known)
            """, inside)
        try await waiting.news("the trouble") { $0.count == 2 && Self.isUnreachable($0.last) }
        try run("UPDATE \(place.schema.quoted).lease SET expires_at = now() - interval '1 second'", inside)
        try run("ALTER DATABASE postgres ALLOW_CONNECTIONS true", beside)
        try await waiting.news("the leader again") { $0.count == 3 && $0.last == held }
        try await first.close()
        try await waiting.store().close()
    }

    @Test("a wait that is cancelled ends, and takes nothing")
    func cancelled() async throws {
        let place = try await Place()
        let first = try place.open("one", lease: .seconds(600))
        let waiting = Waiting(place, "two")
        try await waiting.news("the leader") { !$0.isEmpty }
        waiting.cancel()
        let error = await #expect(throws: StoreError.self) { _ = try await waiting.store() }
        #expect(error?.message.contains("the wait for the lease was ended") == true)
        try await first.close()
        #expect(try number(place, "SELECT count(holder) FROM \(place.schema.quoted).lease") == 0)
    }

    @Test("a schema that a newer tminus wrote meanwhile is refused at the take-over")
    func newer() async throws {
        let place = try await Place()
        let first = try place.open("one", lease: .seconds(600))
        let waiting = Waiting(place, "two")
        try await waiting.news("the leader") { !$0.isEmpty }
        try place.cluster.run("UPDATE \(place.schema.quoted).meta SET schema = 99, oldest = 98")
        try await first.close()
        let error = await #expect(throws: StoreError.self) { _ = try await waiting.store() }
        #expect(error?.kind == .tooNew)
        #expect(try number(place, "SELECT count(holder) FROM \(place.schema.quoted).lease") == 0)
    }

    @Test("of two that wait one takes over, and the other tells who leads now")
    func twoWait() async throws {
        let place = try await Place()
        let first = try place.open("one", lease: .seconds(600))
        let waiting = [Waiting(place, "two"), Waiting(place, "three")]
        for one in waiting { try await one.news("the leader") { $0 == [.held(by: "one, process 7")] } }
        try await first.close()
        let told = try await Bounded.value("a new leader") {
            while true {
                for (index, one) in waiting.enumerated() where one.news.count == 2 { return index }
                // Whichever is first: each reports to a list of its own.
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        let names = ["two", "three"]
        #expect(waiting[told].news.last == .held(by: "\(names[1 - told]), process 7"))
        try await waiting[1 - told].store().close()
        try await waiting[told].store().close()
    }
}
