import PostgresTestServer
import Testing
import TminusCore
import TminusStorage
import TminusTestKit

@testable import TminusPostgres

@Suite(
    "PostgreSQL store: the rules of a store",
    .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct PostgresConformanceTests {
    @Test("keeps every rule of a store", arguments: StoreConformance.checks)
    func conforms(_ check: StoreConformance.Check) async throws {
        let place = try await Place()
        // The first store is not closed: the second finds what a killed process leaves behind. Some checks go on with the first.
        try await check.run(on: { try place.openBeside() }, reopen: { _ in try place.openBeside() })
    }
}

/// Engines that allow only SERIALIZABLE, and refuse commits, ask for a repetition of the whole transaction.
@Suite(
    "PostgreSQL store: the rules of a store at SERIALIZABLE with refused commits",
    .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct PostgresRefusalConformanceTests {
    private static let cluster = Task {
        let cluster = try await Cluster.started()
        try cluster.run("ALTER ROLE tminus SET default_transaction_isolation = 'serializable'")
        return cluster
    }

    /// A store that is refused every fifth commit at its end.
    private func open(_ place: Place) throws -> PostgresStore {
        let store = try place.openBeside()
        let schema = place.schema.quoted
        try place.cluster.run(
            "CREATE SEQUENCE IF NOT EXISTS \(schema).commits",
            """
            CREATE OR REPLACE FUNCTION \(schema).refuse() RETURNS trigger LANGUAGE plpgsql AS '
            BEGIN
                IF nextval(''\(place.schema.rawValue).commits'') % 5 = 2 THEN
                    RAISE EXCEPTION USING ERRCODE = ''40001'';
                END IF;
                RETURN NULL;
            END'
            """,
            "DROP TRIGGER IF EXISTS refuse ON \(schema).commit_mark",
            """
            CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON \(schema).commit_mark DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION \(schema).refuse()
            """)
        return store
    }

    @Test("keeps every rule of a store", arguments: StoreConformance.checks)
    func conforms(_ check: StoreConformance.Check) async throws {
        let place = try await Place(Self.cluster.value)
        try await check.run(on: { try open(place) }, reopen: { _ in try open(place) })
    }

    @Test("commits are refused, and repeated")
    func refuses() async throws {
        let place = try await Place(Self.cluster.value)
        let store = try open(place)
        for number in 1...10 {
            let spec = SinkSpec(name: "s\(number)", kind: "shell", options: Node(.mapping([])), directory: "/")
            _ = try await store.commit(Commit(sinks: [spec]), now: Timestamp(nanoseconds: 1))
        }
        let connection = try place.cluster.connection()
        defer { connection.finish() }
        let tried = try Transaction(on: connection).number(
            "SELECT last_value FROM \(place.schema.quoted).commits")
        #expect(tried == 13, "the second, the seventh and the twelfth are refused")
        try await store.close()
    }
}
