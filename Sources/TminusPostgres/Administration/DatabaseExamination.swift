package import TminusCore
import TminusStorage

/// What a look at a database finds, with or without a daemon that uses it. It changes nothing.
package struct DatabaseExamination: Sendable {
    /// Something that was found.
    package struct Fact: Sendable {
        /// What it is about, such as `encoding`.
        package var name: String
        /// What it is.
        package var text: String
    }

    /// What was found.
    package private(set) var facts: [Fact] = []
    /// What keeps a daemon from using the database, with the remedies.
    package private(set) var problems: [String] = []
    /// What may do harm.
    package private(set) var warnings: [String] = []

    private let schema = SchemaName.standard

    /// Looks at the database. Blocks meanwhile.
    ///
    /// - Throws: ``StoreError`` if there is no connection.
    package init(of text: String) throws(StoreError) {
        let address = try PostgresAddress(text)
        do {
            let connection = try Connection(address.settings, try Library.loaded.get())
            defer { connection.finish() }
            let version = connection.serverVersion
            add("server", "\(address.shown), PostgreSQL \(version / 10_000).\(version % 10_000)")
            add("encoding", connection.encoding)
            do { try DatabaseLink.refuseUnfit(connection, address) } catch { note(error) }
            guard try keepsStatements(connection, address) else { return }
            do { try lookAtSchema(connection) } catch { note(StoreError(error, address: address.shown)) }
            try lookAtSettings(connection)
            add("latency", "\(try Self.latency(connection)), the median of \(Self.trips) trips")
        } catch {
            throw StoreError(error, address: address.shown)
        }
    }

    private mutating func add(_ name: String, _ text: String) { facts.append(Fact(name: name, text: text)) }

    private mutating func note(_ problem: StoreError) { problems.append(problem.message) }

    /// Whether prepared statements last. A pooler that gives each transaction another connection may give this one's to the next
    /// client, where the names of statements are taken.
    private mutating func keepsStatements(_ connection: Connection, _ address: PostgresAddress) throws -> Bool {
        do {
            let process = try Self.process(connection)
            var isShared = false
            for _ in 0..<3 {
                let other = try Connection(address.settings, try Library.loaded.get())
                defer { other.finish() }
                if try Self.process(other) == process { isShared = true }
            }
            if isShared { add("pooler", "gives each transaction another connection, and keeps prepared statements") }
            return true
        } catch let error as ServerError where ["26000", "42P05"].contains(error.state) {
            note(StoreError(error, address: address.shown))
            return false
        }
    }

    private static func process(_ connection: Connection) throws -> Int64? {
        try Transaction(on: connection).number("SELECT pg_backend_pid()")
    }

    /// Does what the start of a daemon does, and takes it back.
    private mutating func lookAtSchema(_ connection: Connection) throws {
        try connection.send("BEGIN", [])
        defer {
            connection.drop()
            _ = try? connection.send("ROLLBACK", [])
            _ = try? connection.answers()
        }
        let transaction = Transaction(on: connection)
        try connection.send("SELECT set_config('search_path', $1, true)", parameters(schema.rawValue))
        try connection.send("SELECT set_config('lock_timeout', '5s', true)", [])
        let isThere = try Migrations.isThere(schema, transaction)
        if isThere {
            let number = try Migrations.number(transaction)
            let rest = number < Migrations.schema ? ", which the daemon brings up to date when it starts" : ""
            add("schema", "\(schema.rawValue), number \(number) of \(Migrations.schema)\(rest)")
        } else {
            add("schema", "none yet; the daemon makes it when it starts, or 'tminus store setup' does")
        }
        var closed: [String] = []
        try transaction.forEach(Self.closed, schema.rawValue) { closed.append(try $0.text(0)) }
        if let first = closed.first {
            problems.append(
                "the user may not read and write the table '\(first)'; run 'tminus store setup --role USER' as the owner"
            )
            return
        }
        if isThere {
            let holder = try transaction.text(Self.holder)
            add("used by", holder.map(Fence.Holder.words) ?? "no daemon")
        }
        try Migrations.apply(schema, transaction)
        add("rights", "all that a daemon needs")
    }

    private mutating func lookAtSettings(_ connection: Connection) throws {
        let transaction = Transaction(on: connection)
        let commit = try transaction.text("SELECT current_setting('synchronous_commit')") ?? ""
        let flush = try transaction.text("SELECT current_setting('fsync')") ?? ""
        let standbys = try transaction.text("SELECT current_setting('synchronous_standby_names')") ?? ""
        let replicas = standbys.isEmpty ? "none has to confirm a commit" : standbys
        add("durability", "synchronous_commit \(commit), fsync \(flush); standbys: \(replicas)")
        if commit == "off" || flush == "off" {
            warnings.append(
                "a crash of the server can lose what was confirmed; set \(flush == "off" ? "fsync" : "synchronous_commit") to on"
            )
        }
    }

    private static let trips = 20

    private static func latency(_ connection: Connection) throws -> String {
        let transaction = Transaction(on: connection)
        let times = try (0..<trips).map { _ in
            let start = ContinuousClock.now
            _ = try transaction.number("SELECT 1")
            return start.duration(to: .now)
        }
        let median = times.sorted()[trips / 2].nanoseconds / 10_000
        return "\(median / 100).\(median % 100 < 10 ? "0" : "")\(median % 100) ms"
    }

    private static let holder = "SELECT holder FROM lease WHERE role = 'schedule' AND expires_at > now()"

    /// The tables of a schema whose rows the user may not read and write.
    private static let closed = """
        SELECT CAST(c.relname AS text) FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind = 'r' AND NOT (
            has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
            AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')
        )
        ORDER BY 1
        """
}
