package import TminusCore
import TminusStorage

/// The definition files that a fleet has in force. Each set of them has a number. A machine knows by the number of the last set that it had
/// which contents came into force after it.
extension PostgresStore {
    /// For so long a machine may be behind and still be known as such.
    private static let memory = Duration.seconds(366 * 86_400)

    package func publishedFiles(root: String, now: Timestamp) async throws(StoreError) -> PublishedFiles {
        let machine = machine
        try await write(as: .flushed) { transaction in
            let limit = now.advanced(by: .zero - Self.memory)
            try transaction.post(FileStatements.removeMachines, limit)
            try transaction.post(FileStatements.removeReplaced, limit)
            // No machine has published anything: this one may have used the store with an older program.
            guard try transaction.number(FileStatements.number) == 0 else { return }
            guard try transaction.run(FileStatements.adopt, KeptFiles.fleetRoot, root) > 0 else { return }
            try transaction.post(FileStatements.count, "")
            try transaction.post(FileStatements.addKept, KeptFiles.fleetRoot)
            try transaction.post(FileStatements.note, machine, "")
        }
        // Only a leader publishes, and this is one.
        return try await read { transaction in
            var published = PublishedFiles(kept: try transaction.keptFiles(root: KeptFiles.fleetRoot))
            let base = try transaction.number(FileStatements.base, machine)
            if let base {
                var digests: [String: String] = [:]
                try transaction.forEach(FileStatements.ofSet, base) { digests[try $0.text(0)] = try $0.text(1) }
                published.base = digests
            }
            // The first set has the number 1.
            try transaction.forEach(FileStatements.replacedAfter, base ?? 0) { row in
                published.replaced[try row.text(0), default: []].insert(try row.text(1))
            }
            try transaction.forEach(FileStatements.removedAfter, base ?? 0) { published.removed.insert(try $0.text(0)) }
            return published
        }
    }

    package func publish(_ change: PublishedChange, now: Timestamp) async throws(StoreError) {
        let machine = machine
        try await write(as: .flushed) { transaction in
            let isOther = try transaction.text(FileStatements.hash) != change.hash
            if isOther || !change.changed.isEmpty || !change.forgotten.isEmpty {
                try transaction.keep(change.changed, forget: change.forgotten, root: KeptFiles.fleetRoot, now: now)
                try transaction.post(FileStatements.count, change.hash)
                for path in change.forgotten + change.changed.map(\.path) {
                    try transaction.post(FileStatements.replace, path, now)
                }
                for file in change.changed { try transaction.post(FileStatements.add, file.path, file.digest) }
            }
            if change.isWhole { try transaction.post(FileStatements.note, machine, change.hash) }
            try transaction.post(FileStatements.noteZoneData, change.zoneData)
        }
    }
}

/// The statements over the definition files of a fleet.
enum FileStatements {
    /// Notes that a machine has the files with a hash, if these are in force.
    static let note = """
        INSERT INTO machine_files (machine, number) SELECT $1, number FROM file_set WHERE hash = $2
        ON CONFLICT (machine) DO UPDATE SET number = excluded.number, noted = now()
        WHERE machine_files.number <> excluded.number
        """

    /// The version of the zone data by which the files in force were read.
    static let zoneData = "SELECT zone_data FROM file_set WHERE zone_data IS NOT NULL"

    fileprivate static let noteZoneData = """
        UPDATE file_set SET zone_data = $1 WHERE coalesce(zone_data, '') <> coalesce($1, '')
        """
    fileprivate static let number = "SELECT number FROM file_set"
    fileprivate static let adopt = "UPDATE kept_file SET root = $1 WHERE root = $2"
    fileprivate static let addKept = """
        INSERT INTO published_file (path, digest, first)
        SELECT path, digest, (SELECT number FROM file_set) FROM kept_file WHERE root = $1
        """
    fileprivate static let base = "SELECT number FROM machine_files WHERE machine = $1"
    fileprivate static let ofSet = """
        SELECT path, digest FROM published_file WHERE first <= $1 AND (ended IS NULL OR ended > $1)
        """
    fileprivate static let replacedAfter = """
        SELECT path, digest FROM published_file f
        WHERE ended > $1 + 1 AND NOT EXISTS (
            SELECT 1 FROM published_file n WHERE n.path = f.path AND n.digest = f.digest AND n.ended IS NULL
        )
        """
    /// Paths that were removed after the set `$1`, and are in force again.
    fileprivate static let removedAfter = """
        SELECT path FROM published_file f
        WHERE ended > $1
            AND NOT EXISTS (SELECT 1 FROM published_file n WHERE n.path = f.path AND n.first = f.ended)
            AND EXISTS (SELECT 1 FROM published_file n WHERE n.path = f.path AND n.ended IS NULL)
        """
    fileprivate static let hash = "SELECT hash FROM file_set"
    fileprivate static let count = "UPDATE file_set SET number = number + 1, hash = $1"
    fileprivate static let replace = """
        UPDATE published_file SET ended = (SELECT number FROM file_set), replaced = $2
        WHERE path = $1 AND ended IS NULL
        """
    fileprivate static let add = """
        INSERT INTO published_file (path, digest, first) SELECT $1, $2, number FROM file_set
        """
    /// What a machine had is not known any more when contents of that set are removed.
    fileprivate static let removeMachines = """
        DELETE FROM machine_files WHERE number < (SELECT max(ended) FROM published_file WHERE replaced < $1)
            OR (number < (SELECT number FROM file_set) AND noted < now() - interval '366 days')
        """
    fileprivate static let removeReplaced = "DELETE FROM published_file WHERE replaced < $1"
}
