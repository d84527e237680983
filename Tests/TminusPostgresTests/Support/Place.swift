import PostgresTestServer
import TminusCore
import TminusStorage

@testable import TminusPostgres

extension Cluster {
    /// A connection of the test.
    func connection() throws -> Connection {
        try Connection(try PostgresAddress(address).settings, try Library.loaded.get())
    }

    /// Runs statements, each for itself.
    func run(_ statements: String...) throws {
        let connection = try connection()
        defer { connection.finish() }
        for statement in statements {
            try connection.send(statement, [])
            _ = try connection.answers()
        }
    }
}

/// A schema of its own, in which stores are opened.
struct Place: Sendable {
    let cluster: Cluster
    let schema: SchemaName

    init(_ cluster: Cluster? = nil) async throws {
        if let cluster { self.cluster = cluster } else { self.cluster = try await Cluster.shared() }
        let name = SchemaName("t_\(String(UInt64.random(in: 0 ... .max), radix: 36))")
        guard let name else { throw Cluster.Missing(description: "no name for a schema") }
        schema = name
    }

    /// Opens the store of a daemon with the given place of its state, by default in a run of its own.
    func open(
        _ machine: String = "here", run: String = PostgresStore.newRun, as role: PostgresStore.Role = .leader,
        facts: FleetMachine? = nil, lease: Duration = .seconds(10), clock: FleetClock? = nil,
        wait: LeaseWait = LeaseWait()
    ) throws -> PostgresStore {
        try PostgresStore(
            try PostgresAddress(cluster.address), schema: schema, machine: machine, process: "\(machine), process 7",
            run: run, as: role, facts: facts, lease: lease, clock: clock, wait: wait)
    }

    /// Opens a store that shares the lease of every other one from here.
    func openBeside() throws -> PostgresStore {
        try PostgresStore(
            try PostgresAddress(cluster.address), schema: schema, machine: "here", process: "here, process 7",
            run: "shared")
    }
}
