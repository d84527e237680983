import Foundation
import PostgresTestServer
import Testing
import TminusCore
import TminusStorage

@testable import TminusPostgres

@Suite(
    "PostgreSQL store: check, setup and moves",
    .enabled(if: Cluster.isRunning, "needs PostgreSQL: apt-get install postgresql"))
struct AdministrationTests {
    private func text(of examination: DatabaseExamination, _ name: String) -> String? {
        examination.facts.first { $0.name == name }?.text
    }

    private func address(_ cluster: Cluster, _ user: String) -> String {
        cluster.address.replacingOccurrences(of: "tminus@", with: "\(user)@")
    }

    @Test("a check says what is there, changes nothing, and names the daemon that uses the database")
    func check() async throws {
        let cluster = try await Cluster.started()
        let empty = try DatabaseExamination(of: cluster.address)
        #expect(text(of: empty, "server")?.contains("PostgreSQL 1") == true)
        #expect(text(of: empty, "encoding") == "UTF8")
        #expect(text(of: empty, "schema")?.hasPrefix("none yet") == true)
        #expect(text(of: empty, "rights") == "all that a daemon needs")
        #expect(text(of: empty, "latency")?.contains(" ms") == true)
        #expect(empty.problems == [])
        // The servers of the tests do not flush.
        #expect(empty.warnings.count == 1)
        let again = try DatabaseExamination(of: cluster.address)
        #expect(text(of: again, "schema")?.hasPrefix("none yet") == true, "the check made no schema")

        let store = try await PostgresStore.opened(
            at: cluster.address, machine: "here", process: "here, process 7")
        let used = try DatabaseExamination(of: cluster.address)
        #expect(text(of: used, "schema") == "tminus, number 5 of 5")
        #expect(text(of: used, "used by") == "here, process 7")
        #expect(used.problems == [])
        try await store.close()
        #expect(text(of: try DatabaseExamination(of: cluster.address), "used by") == "no daemon")
    }

    @Test("a check says that the encoding is wrong, and what the user may not do")
    func unfit() async throws {
        let cluster = try await Cluster.started()
        try cluster.run("CREATE ROLE guest LOGIN", "REVOKE CREATE ON DATABASE postgres FROM PUBLIC")
        let guest = try DatabaseExamination(of: address(cluster, "guest"))
        #expect(guest.problems.count == 1)
        #expect(guest.problems.first?.contains("permission denied") == true)
        #expect(guest.problems.first?.contains("tminus store setup") == true)
        try DatabaseSetup(role: nil).perform(at: cluster.address)
        try cluster.run("GRANT USAGE ON SCHEMA tminus TO guest", "GRANT SELECT, UPDATE ON tminus.meta TO guest")
        let reader = try DatabaseExamination(of: address(cluster, "guest"))
        #expect(reader.problems.first?.contains("may not read and write the table") == true, "\(reader.problems)")
    }

    @Test("after a setup for a role, a daemon of that role works with rows alone; a second setup changes nothing")
    func setup() async throws {
        let cluster = try await Cluster.started()
        let role = try #require(SchemaName("worker"))
        for _ in 0..<2 { try DatabaseSetup(role: role).perform(at: cluster.address) }
        let worker = address(cluster, "worker")
        #expect(try DatabaseExamination(of: worker).problems == [])
        let store = try await PostgresStore.opened(at: worker, machine: "here", process: "p")
        let spec = SinkSpec(name: "s", kind: "shell", options: Node(.mapping([])), directory: "/")
        _ = try await store.commit(Commit(sinks: [spec]), now: Timestamp(nanoseconds: 1))
        #expect(try await store.keptFiles(root: "/").sinks.map(\.name) == ["s"])
        try await store.close()
        let denied = #expect(throws: (any Error).self) {
            let connection = try Connection(try PostgresAddress(worker).settings, try Library.loaded.get())
            defer { connection.finish() }
            try connection.send("CREATE TABLE tminus.other (a int)", [])
            _ = try connection.answers()
        }
        #expect((denied as? ServerError)?.state == "42501")
    }

    @Test("the statements of --print make the same schema")
    func script() async throws {
        let cluster = try await Cluster.started()
        let script = DatabaseSetup(role: SchemaName("worker")).script
        let file = "\(cluster.directory)/setup.sql"
        try Data(script.utf8).write(to: URL(fileURLWithPath: file))
        let psql = Process()
        psql.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        psql.arguments = ["psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", file, cluster.address]
        try psql.run()
        psql.waitUntilExit()
        #expect(psql.terminationStatus == 0)
        let examination = try DatabaseExamination(of: address(cluster, "worker"))
        #expect(text(of: examination, "schema") == "tminus, number 5 of 5")
        #expect(examination.problems == [])
    }

    @Test("a move copies every column of every table")
    func columns() async throws {
        let place = try await Place()
        let store = try place.open()
        let found = try await store.read { transaction in
            var found: [String: Set<String>] = [:]
            try transaction.forEach(
                """
                SELECT CAST(table_name AS text), CAST(column_name AS text) FROM information_schema.columns
                WHERE table_schema = $1
                """, place.schema.rawValue
            ) { row in found[try row.text(0), default: []].insert(try row.text(1)) }
            return found
        }
        // Those of the database itself.
        let own = [
            "meta", "lease", "commit_mark", "follower", "followed_attempt", "forwarded_request", "file_set",
            "published_file", "machine_files", "machine_file",
        ]
        #expect(Set(found.keys).subtracting(own) == Set(StoredTable.all.map(\.name)))
        for table in StoredTable.all { #expect(Set(table.columnNames) == found[table.name], "\(table.name)") }
        try await store.close()
    }

    @Test("until a move has ended, no daemon uses its target; the next move begins anew")
    func incomplete() async throws {
        let cluster = try await Cluster.started()
        func open(_ use: PostgresStore.Use) async throws -> PostgresStore {
            try await PostgresStore.opened(
                at: cluster.address, machine: "here", process: "here", for: use)
        }
        let missing = await #expect(throws: StoreError.self) { _ = try await open(.moveSource) }
        #expect(missing?.message.contains("there is no store of tminus") == true)
        let first = try await open(.moveTarget)
        try await first.beginMove()
        try await first.keep([KeptFile(path: "a", content: [1])], forget: [], root: "/", now: .init(seconds: 1))
        try await first.close()
        for use in [PostgresStore.Use.daemon, .moveSource] {
            let refused = await #expect(throws: StoreError.self) { _ = try await open(use) }
            #expect(refused?.message.contains("a move into this database did not end") == true)
        }
        #expect(try DatabaseExamination(of: cluster.address).problems.first?.contains("did not end") == true)
        let second = try await open(.moveTarget)
        try await second.beginMove()
        #expect(try await second.keptFiles(root: "/").files.isEmpty)
        try await second.keep([KeptFile(path: "b", content: [1])], forget: [], root: "/", now: .init(seconds: 1))
        try await second.endMove()
        try await second.close()
        let daemon = try await open(.daemon)
        #expect(try await daemon.keptFiles(root: "/").files.map(\.path) == ["b"])
        try await daemon.close()
        let third = try await open(.moveTarget)
        let filled = await #expect(throws: StoreError.self) { try await third.beginMove() }
        #expect(filled?.message.contains("is not empty: the table 'kept_file' has rows") == true)
        try await third.close()
    }

    @Test(
        "a pooler that does not keep prepared statements is refused in words",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/pgbouncer"), "needs pgbouncer"),
        arguments: ["transaction", "session"])
    func pooler(mode: String) async throws {
        let cluster = try await Cluster.started()
        let pooler = try Pooler(cluster, mode: mode)
        let examination = try pooler.examination()
        let isRefused = examination.problems.contains { $0.contains("a pooler gives each transaction another") }
        #expect(isRefused == (mode == "transaction"), "\(examination.problems)")
        #expect(isRefused || examination.problems == [])
    }
}

/// A pgbouncer before a server of the tests.
private final class Pooler {
    private let process = Process()
    private let address: String

    init(_ cluster: Cluster, mode: String) throws {
        let directory = "/tmp/tminus-pooler-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory)
        let settings = """
            [databases]
            postgres = host=\(cluster.directory) user=tminus
            [pgbouncer]
            listen_addr =
            unix_socket_dir = \(directory)
            auth_type = any
            pool_mode = \(mode)
            """
        try Data(settings.utf8).write(to: URL(fileURLWithPath: "\(directory)/pgbouncer.ini"))
        address = "postgresql://tminus@/postgres?host=\(directory)&port=6432"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // It refuses to run as root.
        let user = getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        process.arguments = user + ["/usr/sbin/pgbouncer", "-q", "\(directory)/pgbouncer.ini"]
        try process.run()
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    /// What a check finds, once the pooler answers.
    func examination() throws -> DatabaseExamination {
        let limit = ContinuousClock.now + .seconds(20)
        while true {
            do {
                return try DatabaseExamination(of: address)
            } catch {
                guard ContinuousClock.now < limit else { throw error }
                // It tells nobody when it listens.
                usleep(50_000)
            }
        }
    }
}
