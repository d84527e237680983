import TminusCore
import TminusStorage

/// Whether a daemon can use a database.
extension DatabaseLink {
    /// Connects, and throws what keeps a daemon from using the database.
    static func look(at address: PostgresAddress) throws(StoreError) {
        do {
            let connection = try Connection(address.settings, try Library.loaded.get())
            defer { connection.finish() }
            try refuseUnfit(connection, address)
        } catch {
            throw StoreError(error, address: address.shown)
        }
    }

    /// Throws if the server is too old, or the encoding of the database loses text.
    static func refuseUnfit(_ connection: Connection, _ address: PostgresAddress) throws(StoreError) {
        guard connection.serverVersion >= 130_000 else {
            throw StoreError(
                .other, "\(address.shown): PostgreSQL \(connection.serverVersion / 10_000) is too old; tminus needs 13")
        }
        guard connection.encoding == "UTF8" else {
            throw StoreError(
                .other,
                "\(address.shown): its encoding is \(connection.encoding); create a database with 'createdb -E UTF8'")
        }
    }

    /// Throws unless there is a store with the schema of this program: the columns of another one are not known.
    func requireCurrent() throws {
        let number = try transaction(.reading) { transaction in
            try Migrations.isThere(schema, transaction) ? Migrations.number(transaction) : nil
        }
        guard let number else { throw StoreError(.other, "\(address.shown): there is no store of tminus") }
        if number > Migrations.schema { throw NewerSchema() }
        guard number == Migrations.schema else {
            throw StoreError(
                .other,
                "\(address.shown): was written by an older tminus; start the daemon once, which brings it up to date")
        }
    }
}
