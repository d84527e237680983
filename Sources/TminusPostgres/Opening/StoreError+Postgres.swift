import TminusCore
import TminusStorage

extension StoreError {
    /// The error of a verb on the database at `address`, with the remedy. It contains no stored values and no password.
    init(_ error: any Error, address: String) {
        switch error {
        case let error as StoreError: self = error
        case is CancellationError: self.init(.other, "\(address): the wait for the lease was ended")
        case let error as ServerError: self.init(error, address: address)
        case let error as Connection.Lost: self.init(error, address: address)
        case let error as UnreadableRow:
            self.init(.damaged, "\(address): is damaged: \(error.what) cannot be read; restore a backup")
        case is NewerSchema:
            self.init(.tooNew, "\(address): was written by a newer tminus; run that one, or use another database")
        case is ClosedSchema:
            self.init(
                .readOnly,
                "\(address): the user may not use the schema 'tminus'; \(Self.setup)")
        case is IncompleteMove:
            self.init(
                .damaged,
                """
                \(address): a move into this database did not end; run 'tminus store move' again, or remove what is there with \
                'DROP SCHEMA tminus CASCADE'
                """)
        case is ForeignSchema:
            self.init(
                .damaged,
                "\(address): has a schema 'tminus' with tables of another program; use another database")
        default:
            self.init(.damaged, "\(address): a row cannot be read; restore a backup")
        }
    }

    private init(_ error: Connection.Lost, address: String) {
        guard error.isRefused else {
            self.init(.other, "\(address): the connection was lost (\(error.text)); tminus connects again")
            return
        }
        let remedy =
            switch error.text {
            case let text where text.contains("password") || text.contains("authentication"):
                "correct the user, or its password in ~/.pgpass or in the file that PGPASSFILE names"
            case let text where text.contains("database \""): "create the database with 'createdb'"
            case let text where text.contains("read-only"): "name the server that can be written"
            default: "start the server, or correct the address"
            }
        self.init(.other, "\(address): no connection (\(error.text)); \(remedy)")
    }

    private init(_ error: ServerError, address: String) {
        switch error.state {
        case "53100":
            self.init(.full, "\(address): no room on the disk of the database; free space")
        case "25006":
            self.init(.readOnly, "\(address): cannot be written now; name the server that can be written")
        case "42501":
            self.init(
                .readOnly,
                "\(address): \(error.text); \(Self.setup)"
            )
        case "23505" where error.isPassing:
            self.init(
                .other, "\(address): another program makes the schema at this moment (\(error.text)); try again")
        case "42P01", "42703", "23502", "23503", "23505", "23514":
            // What this program writes violates no constraint, unless a row that it changes did before.
            self.init(.damaged, "\(address): is damaged: \(error.text); restore a backup")
        case "26000", "42P05":
            self.init(
                .other,
                """
                \(address): a pooler gives each transaction another connection and does not keep prepared statements; let it \
                pool sessions (pgbouncer: pool_mode = session, or max_prepared_statements from 1.21 on), or name the server itself
                """)
        case "55P03":
            self.init(.other, "\(address): another program has held a lock for 5 s; tminus tries again")
        case Fence.refusal: self = .taken(address)
        case _ where error.isLostHistory:
            self.init(
                .locked,
                """
                \(address): the database has lost what it acknowledged, as when a standby that lags takes its place; started again, \
                the daemon goes on from what is there
                """)
        default: self.init(.other, "\(address): PostgreSQL error \(error.state): \(error.text)")
        }
    }

    private static let setup = "run 'tminus store setup' as the owner, with --role for the user of the daemon"

    /// The leader does not let followers deliver.
    static func unshared(_ address: String) -> StoreError {
        StoreError(
            .other,
            "\(address): the daemon that leads is of another version, or the store is being moved; delivers later")
    }

    /// Another daemon has the lease.
    static func taken(_ address: String) -> StoreError {
        StoreError(
            .locked,
            "\(address): another daemon has taken this database over; started again with --standby, this one stands by for it"
        )
    }
}

extension ServerError {
    /// Whether ``Fence/checkHistory`` failed: an invalid number.
    var isLostHistory: Bool { state == "22P02" && text.contains("\"lost\"") }

    /// Whether another transaction held a lock for too long.
    var isLockTimeout: Bool { state == "55P03" }

    /// Whether the whole verb may succeed if it is repeated: serialization, a deadlock, a lock that took too long, a schema
    /// that another daemon made at the same moment (postgresql.org/docs/15/errcodes-appendix.html).
    var isPassing: Bool {
        // The server reports the latter by an index of its catalog if both transactions were open.
        ["40001", "40P01", "55P03", "42P06"].contains(state) || state == "23505" && text.contains("\"pg_")
    }
}
