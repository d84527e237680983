internal import CPostgres
package import TminusCore

/// Where a database is: a URI as libpq reads it (postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING).
package struct PostgresAddress: Sendable {
    /// The address for messages, without a password and without options.
    package let shown: String
    /// The parameters of a connection.
    let settings: [(key: String, value: String)]

    /// Whether a text is meant as such an address.
    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// Reads an address. Throws if libpq is missing, cannot read it, or finds a password in it: other users see the words of a
    /// process. No message repeats the address.
    package init(_ text: String) throws(StoreError) {
        let library = try Library.loaded.get()
        let options = Self.isAddress(text) ? library.PQconninfoParse(text, nil) : nil
        guard let options else {
            throw StoreError(
                .other,
                "the address of the database cannot be read; write postgresql://USER@HOST:PORT/DATABASE, and % as %25")
        }
        defer { library.PQconninfoFree(options) }
        var given: [(key: String, value: String)] = []
        var next = options
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val { given.append((String(cString: keyword), String(cString: value))) }
            next += 1
        }
        guard !given.contains(where: { Self.secrets.contains($0.key) }) else {
            throw StoreError(
                .other,
                """
                the address of the database contains a password, which all users of the machine can read while the program \
                runs; take it out, and put it into ~/.pgpass, or into a file that PGPASSFILE or '?passfile=' names
                """)
        }
        shown = Self.shown(given)
        settings = given + Self.defaults.filter { item in !given.contains { $0.key == item.key } }
    }

    // A server that is cut off without a word is noticed after about 15 s.
    private static let defaults: [(key: String, value: String)] = [
        ("application_name", "tminus"), ("client_encoding", "UTF8"), ("connect_timeout", "5"),
        ("keepalives_idle", "10"), ("keepalives_interval", "3"), ("keepalives_count", "2"),
        ("target_session_attrs", "read-write"), ("tcp_user_timeout", "15000"),
    ]

    private static let secrets = ["password", "sslpassword"]

    private static func shown(_ given: [(key: String, value: String)]) -> String {
        func value(_ key: String) -> String? { given.first { $0.key == key }?.value }
        let user = value("user").map { "\($0)@" } ?? ""
        let port = value("port").map { ":\($0)" } ?? ""
        let service = value("service").map { "?service=\($0)" } ?? ""
        return "postgresql://\(user)\(value("host") ?? "")\(port)/\(value("dbname") ?? "")\(service)"
    }
}
