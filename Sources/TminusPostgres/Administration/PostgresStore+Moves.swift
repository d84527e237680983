package import TminusCore
import TminusStorage

extension PostgresStore {
    /// Prepares a database for a move into it: no program uses it until ``endMove()``. Removes what an earlier move has left that
    /// did not end.
    ///
    /// - Throws: ``StoreError`` if the store has content of its own.
    package func beginMove() async throws(StoreError) {
        let shown = shownAddress
        try await write(as: .flushed) { transaction in
            let oldest = try transaction.number("SELECT oldest FROM meta FOR UPDATE")
            if oldest != Migrations.incomplete, let filled = try transaction.filledTables().first {
                throw StoreError(
                    .other,
                    """
                    \(shown): is not empty: the table '\(filled)' has rows; name another database, or remove what is there \
                    with 'DROP SCHEMA tminus CASCADE'
                    """)
            }
            try transaction.post("UPDATE meta SET oldest = $1", Migrations.incomplete)
            try transaction.clear()
        }
    }

    /// Gives the database free for use, because everything is there.
    package func endMove() async throws(StoreError) {
        try await write(as: .flushed) { try $0.post("UPDATE meta SET oldest = $1", Migrations.oldest) }
    }

    /// Throws if another program has taken the database over.
    package func requireLease() async throws(StoreError) {
        try await write(as: .ordered) { _ in }
    }
}
