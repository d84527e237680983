import GRDB
package import TminusCore
import TminusStorage

extension SQLiteStore {
    /// The number of the schema of this program.
    package static var schema: Int { Migrations.standard.schema }

    /// Copies the store into a file for its owner only, and checks the copy. A daemon may use the store meanwhile; the copy
    /// is its state at one moment. Blocks meanwhile.
    ///
    /// - Returns: The number of the schema of the copy.
    /// - Throws: ``StoreError``; then there is no file at `target`. Of the kind ``StoreError/Kind/full`` if there is no room.
    package func copy(to target: String) async throws(StoreError) -> Int {
        let copy = StoreCopy(source: path, target: target)
        return try await perform { db in
            try copy.write(db)
            return try Migrations.standard.schema(of: db)
        }
    }

    /// Checks a file that no process has open: it is a whole store that this program can open, perhaps of an older schema.
    ///
    /// - Returns: The number of its schema.
    package static func check(copy path: String) throws(StoreError) -> Int {
        let opening = StoreOpening(path: path, busyTimeout: .zero)
        do {
            let schema = try ClosedStore(path: path).read { db in
                try opening.refuseForeign(db)
                return try Migrations.standard.schema(of: db)
            }
            guard schema > 0 else { throw StoreError(.damaged, "\(path): is not a store of tminus") }
            try StoreCopy.check(path)
            return schema
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Keeps from being sent what was due up to `now`, because it may have been sent since the copy was made: open
    /// deliveries are discarded, and what came due since the copy will be recorded as ``Omission/Reason/restored``.
    ///
    /// - Returns: The number of discarded deliveries.
    package func markRestored(now: Timestamp) async throws(StoreError) -> Int {
        try await write(as: .flushed) { try $0.markRestored(now: now) }
    }
}
