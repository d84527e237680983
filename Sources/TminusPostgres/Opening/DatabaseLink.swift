internal import CPostgres
import Glibc
import TminusCore
import TminusStorage

/// The connection of a store with its transactions, made again when it was lost. Knows nothing of the right to write. Confined to the
/// queue of its store.
final class DatabaseLink {
    /// What a transaction may do.
    enum Access {
        /// It reads one consistent state.
        case reading
        /// It writes.
        case writing(Durability)
    }

    let address: PostgresAddress
    let schema: SchemaName
    private var connection: Connection?
    private var refusal: (error: StoreError, until: ContinuousClock.Instant)?
    private var isOver = false
    /// How many connections were made.
    private(set) var connections = 0

    /// Whether there is a connection now.
    var isConnected: Bool { connection != nil }

    /// A link that is not connected yet.
    init(_ address: PostgresAddress, schema: SchemaName) {
        self.address = address
        self.schema = schema
    }

    deinit { connection?.finish() }

    /// Runs `body` in a transaction of its own, without the lease.
    static func withTransaction(at address: PostgresAddress, _ body: (Transaction) throws -> Void) throws(StoreError) {
        let link = DatabaseLink(address, schema: .standard)
        defer { link.end() }
        do {
            try refuseUnfit(try link.connect(), address)
            try link.transaction(.writing(.flushed), body)
        } catch {
            throw StoreError(error, address: address.shown)
        }
    }

    /// Runs `verb` in a transaction. It runs again if the server asks for it, or if the connection turns out to be lost before the
    /// commit.
    ///
    /// - Parameter proof: Proves the right to write at the beginning of a transaction that writes; nil if it needs none.
    func transaction<Value>(
        _ access: Access, proof: ((Connection) throws -> Void)? = nil, _ verb: (Transaction) throws -> Value
    ) throws -> Value {
        var repeats = 0
        while true {
            let isNew = !isConnected
            let connection = try connect()
            var isCommitting = false
            do {
                try begin(access, proof: proof, connection)
                let value = try verb(Transaction(on: connection))
                // So that an error of the verb is not taken for one of the commit.
                _ = try connection.answers()
                isCommitting = true
                try connection.send("COMMIT", [])
                _ = try connection.answers()
                return value
            } catch var error as Connection.Lost {
                disconnect()
                error.isCommitting = isCommitting
                if isNew || isCommitting { throw error }
            } catch let error as ServerError
                where error.isPassing && repeats < 5 && !(proof != nil && error.isLockTimeout)
            {
                // A leader must renew its lease before it waits for another lock.
                rollBack(connection)
                repeats += 1
                // Two transactions that collided must not collide again.
                usleep(.random(in: 5_000...50_000))
            } catch {
                rollBack(connection)
                throw error
            }
        }
    }

    private func begin(
        _ access: Access, proof: ((Connection) throws -> Void)?, _ connection: Connection
    ) throws {
        switch access {
        case .reading: try connection.send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", [])
        case .writing: try connection.send("BEGIN", [])
        }
        // Nothing is set for a session, so that a pooler may give each transaction another connection.
        try connection.send("SELECT set_config('search_path', $1, true)", parameters(schema.rawValue))
        guard case .writing(let durability) = access else { return }
        try connection.send(
            """
            SELECT set_config('lock_timeout', '5s', true),
                set_config('idle_in_transaction_session_timeout', '4s', true)
            """, [])
        if durability == .ordered {
            try connection.send("SELECT set_config('synchronous_commit', 'off', true)", [])
        }
        try proof?(connection)
    }

    private func rollBack(_ connection: Connection) {
        connection.drop()
        do {
            try connection.send("ROLLBACK", [])
            _ = try connection.answers()
        } catch {
            disconnect()
        }
    }

    /// The connection, made anew if there is none. After a refusal it is asked for again after a second.
    func connect() throws -> Connection {
        if isOver { throw StoreError(.other, "\(address.shown): the store is closed") }
        if let connection { return connection }
        if let refusal, ContinuousClock.now < refusal.until { throw refusal.error }
        do {
            let made = try Connection(address.settings, try Library.loaded.get())
            connection = made
            connections += 1
            refusal = nil
            return made
        } catch {
            let error = StoreError(error, address: address.shown)
            refusal = (error, ContinuousClock.now + .seconds(1))
            throw error
        }
    }

    /// Ends the connection. No other one is made after it.
    func end() {
        isOver = true
        disconnect()
    }

    private func disconnect() {
        connection?.finish()
        connection = nil
    }
}
