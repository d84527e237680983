import Foundation
import PostgresTestServer
import Testing
import TminusCore
import TminusStorage

@testable import TminusPostgres
@testable import TminusTestKit

@Suite(
    "PostgreSQL store: trouble", .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct PostgresTroubleTests {
    private let now = Timestamp(nanoseconds: 1_000_000_000)

    private func sinks(_ name: String) -> Commit {
        Commit(sinks: [SinkSpec(name: name, kind: "shell", options: Node(.mapping([])), directory: "/")])
    }

    @Test("a store knows when its lease may be over, and when it has it again")
    func lease() async throws {
        let cluster = try await Cluster.started()
        let store = try await Place(cluster).open(lease: .milliseconds(900))
        func waits(for state: Bool) async throws {
            try await Bounded.value("the lease") {
                // The lease runs out without telling anybody.
                while store.hasLease != state { try await Task.sleep(for: .milliseconds(20)) }
            }
        }
        try await waits(for: true)
        try await cluster.stop()
        try await waits(for: false)
        try await cluster.start()
        try await waits(for: true)
        try await store.close()
    }

    @Test("a server that is not there is said, with what to do")
    func refused() throws {
        let address = try PostgresAddress("postgresql://tminus@/none?host=/nowhere")
        let error = #expect(throws: StoreError.self) {
            try PostgresStore(address, machine: "here", process: "here, process 7")
        }
        let message = try #require(error?.message)
        #expect(message.hasPrefix("postgresql://tminus@/nowhere/none: no connection ("))
        #expect(message.hasSuffix("start the server, or correct the address"))
    }

    @Test("a wrong password is said without the password")
    func password() async throws {
        let cluster = try await Cluster.shared()
        try cluster.run("DROP ROLE IF EXISTS guarded", "CREATE ROLE guarded LOGIN PASSWORD 'right'")
        let file = "\(cluster.directory)/passwords-\(UInt64.random(in: 0 ... .max))"
        try Data("*:*:*:*:sesame\n".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let address = try PostgresAddress(
            "postgresql://guarded@/postgres?host=\(cluster.directory)&passfile=\(file)")
        let error = #expect(throws: StoreError.self) {
            try PostgresStore(address, machine: "here", process: "here, process 7")
        }
        let message = try #require(error?.message)
        #expect(message.contains("password authentication failed for user \"guarded\""))
        #expect(message.contains("correct the user, or its password in ~/.pgpass"))
        #expect(!message.contains("sesame"))
    }

    @Test(
        "a password in an address is refused without repeating it",
        arguments: ["tminus:sesame@host/db", "host/db?password=sesame", "host/db?sslpassword=sesame"])
    func passwordInAddress(_ place: String) {
        let error = #expect(throws: StoreError.self) { try PostgresAddress("postgresql://\(place)") }
        #expect(error?.message.contains("contains a password") == true)
        #expect(error?.message.contains("~/.pgpass") == true)
        #expect(error?.message.contains("sesame") == false)
    }

    @Test("an address that cannot be read is refused without repeating it")
    func address() throws {
        let error = #expect(throws: StoreError.self) { try PostgresAddress("postgresql://tminus:ses%ame@host/db") }
        let message = try #require(error?.message)
        #expect(message.contains("write postgresql://USER@HOST:PORT/DATABASE"))
        #expect(!message.contains("ame@"))
    }

    @Test("the schema of a newer tminus is refused, and left as it is")
    func newer() async throws {
        let place = try await Place()
        try await place.open().close()
        try place.cluster.run("UPDATE \(place.schema.quoted).meta SET schema = 99, oldest = 98")
        let error = #expect(throws: StoreError.self) { try place.open() }
        #expect(error?.kind == .tooNew)
    }

    @Test("a newer schema that still allows this tminus is used")
    func newerAndAllowed() async throws {
        let place = try await Place()
        try await place.open().close()
        try place.cluster.run("UPDATE \(place.schema.quoted).meta SET schema = 99")
        try await place.open().close()
    }

    @Test("a schema of another program is refused")
    func foreign() async throws {
        let place = try await Place()
        try place.cluster.run(
            "CREATE SCHEMA \(place.schema.quoted)", "CREATE TABLE \(place.schema.quoted).other (a int)")
        let error = #expect(throws: StoreError.self) { try place.open() }
        #expect(error?.message.contains("tables of another program") == true)
    }

    @Test("a second daemon is refused, and the message names the first; when that stops, the second starts")
    func second() async throws {
        let place = try await Place()
        // The first one renews it every third of that time, so a busy machine does not lose it.
        let first = try place.open("one", lease: .seconds(5))
        let error = #expect(throws: StoreError.self) { try place.open("two", lease: .seconds(5)) }
        #expect(error?.kind == .locked)
        #expect(error?.message.contains("another daemon uses this database (one, process 7)") == true)
        try await first.close()
        try await place.open("two").close()
    }

    @Test("a daemon that was taken over from cannot write when it wakes")
    func fenced() async throws {
        let place = try await Place()
        let first = try place.open()
        let second = try place.open()
        let error = await #expect(throws: StoreError.self) { _ = try await first.commit(sinks("first"), now: now) }
        #expect(error?.kind == .locked)
        _ = try await second.commit(sinks("second"), now: now)
        #expect(try await second.keptFiles(root: "/").sinks.map(\.name) == ["second"])
        // Its end does not end the lease of the other.
        try await first.close()
        _ = try await second.commit(sinks("third"), now: now)
        try await second.close()
    }

    @Test("a connection that is cut is made again, and nobody notices")
    func cut() async throws {
        let cluster = try await Cluster.started()
        let store = try await Place(cluster).open()
        _ = try await store.commit(sinks("first"), now: now)
        try cluster.run(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE application_name = 'tminus' AND pid <> pg_backend_pid()
            """)
        _ = try await store.commit(sinks("second"), now: now)
        #expect(try await store.keptFiles(root: "/").sinks.map(\.name) == ["second"])
        try await store.close()
    }

    @Test("while the server is down the store refuses, and it goes on when the server is back")
    func restart() async throws {
        let cluster = try await Cluster.started()
        let store = try await Place(cluster).open()
        _ = try await store.commit(sinks("first"), now: now)
        try await cluster.stop()
        let error = await #expect(throws: StoreError.self) { _ = try await store.commit(sinks("second"), now: now) }
        #expect(error?.message.contains("no connection") == true)
        try await cluster.start()
        try await Bounded.value("the store to go on") { [now] in
            while true {
                do {
                    _ = try await store.commit(sinks("third"), now: now)
                    return
                } catch {
                    // A store connects again only when it is asked.
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
        }
        #expect(try await store.keptFiles(root: "/").sinks.map(\.name) == ["third"])
        try await store.close()
    }

    @Test("a daemon is told that it was taken over from, when it renews its lease")
    func takenOver() async throws {
        let place = try await Place()
        let first = try place.open(lease: .seconds(1))
        _ = try await first.commit(Commit(firings: [.fixture()]), now: .fixture(1))
        let second = try place.open()
        let told = try await Bounded.value("the event") {
            for await case .refused(let error) in first.events { return error }
            return StoreError(.other, "")
        }
        #expect(told.kind == .locked && told.message.contains("another daemon has taken this database over"))
        try await first.close()
        try await second.close()
    }

    @Test("the store reports once that the database does not answer")
    func unreachable() async throws {
        let cluster = try await Cluster.started()
        let store = try await Place(cluster).open(lease: .seconds(1))
        try await cluster.stop()
        try await Bounded.value("the event") {
            for await case .unreachable in store.events { return }
        }
        try await cluster.start()
        try await store.close()
    }
}
