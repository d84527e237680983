package import TminusCore
import TminusStorage

/// Beside the contents in force, the store knows those that were in force before.
extension PostgresStore {
    /// For so long a clone may be behind and still be known as such.
    private static let memory = Duration.seconds(366 * 86_400)

    package func keep(
        _ changed: [KeptFile], forget: [String], root: String, now: Timestamp
    ) async throws(StoreError) {
        guard !changed.isEmpty || !forget.isEmpty else { return }
        try await write(as: .flushed) { transaction in
            for path in forget { try transaction.post(FileStatements.replace, root, path, "", now) }
            for file in changed {
                try transaction.post(FileStatements.replace, root, file.path, file.digest, now)
                try transaction.post(FileStatements.isInForce, root, file.path, file.digest)
            }
            try transaction.keep(changed, forget: forget, root: root, now: now)
        }
    }

    package func replacedContents(root: String, now: Timestamp) async throws(StoreError) -> [String: Set<String>] {
        try await write(as: .ordered) { transaction in
            try transaction.post(FileStatements.removeOld, now.advanced(by: .zero - Self.memory))
            var replaced: [String: Set<String>] = [:]
            try transaction.forEach(FileStatements.replaced, root) { row in
                replaced[try row.text(0), default: []].insert(try row.text(1))
            }
            return replaced
        }
    }
}

/// The statements over `replaced_file`.
private enum FileStatements {
    static let replace = """
        INSERT INTO replaced_file (root, path, digest, replaced)
        SELECT root, path, digest, $4 FROM kept_file WHERE root = $1 AND path = $2 AND digest <> $3
        ON CONFLICT (root, path, digest) DO UPDATE SET replaced = excluded.replaced
        """
    static let isInForce = "DELETE FROM replaced_file WHERE root = $1 AND path = $2 AND digest = $3"
    static let removeOld = "DELETE FROM replaced_file WHERE replaced < $1"
    static let replaced = "SELECT path, digest FROM replaced_file WHERE root = $1"
}
