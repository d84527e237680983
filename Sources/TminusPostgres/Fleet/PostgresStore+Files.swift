package import TminusCore
import TminusStorage

/// The definition files that a fleet has in force. Each set of them has a number. A machine knows by the number of the last set that it had,
/// whole or of one file, which contents came into force after it.
extension PostgresStore {
    /// For so long a machine may be behind and still be known as such.
    private static let memory = Duration.seconds(366 * 86_400)

    package func publishedFiles(root: String, now: Timestamp) async throws(StoreError) -> PublishedFiles {
        let machine = machine
        try await write(as: .flushed) { transaction in
            let limit = now.advanced(by: .zero - Self.memory)
            for forget in FileStatements.forgetMachines { try transaction.post(forget, limit) }
            try transaction.post(FileStatements.removeMachines)
            try transaction.post(FileStatements.removeReplaced, limit)
            // No machine has published anything: this one may have used the store with an older program, or the store was moved.
            guard try transaction.number(FileStatements.number) == 0 else { return }
            let isAdopted = try transaction.run(FileStatements.adopt, KeptFiles.fleetRoot, root) > 0
            guard try transaction.number(FileStatements.hasKept, KeptFiles.fleetRoot) != nil else { return }
            try transaction.post(FileStatements.count, "")
            try transaction.post(FileStatements.addKept, KeptFiles.fleetRoot)
            if isAdopted { try transaction.noteWhole(machine, "") }
        }
        // Only a leader publishes, and this is one.
        return try await read { transaction in
            var published = PublishedFiles(kept: try transaction.keptFiles(root: KeptFiles.fleetRoot))
            try transaction.forEach(FileStatements.base, machine) {
                published.base[try $0.text(0)] = try $0.text(1)
            }
            try transaction.forEach(FileStatements.replaced, machine) { row in
                published.replaced[try row.text(0), default: []].insert(try row.optionalText(1))
            }
            try transaction.forEach(FileStatements.returned, machine) { published.returned.insert(try $0.text(0)) }
            return published
        }
    }

    package func publish(_ change: PublishedChange, now: Timestamp) async throws(StoreError) {
        let machine = machine
        try await write(as: .flushed) { transaction in
            let (hash, changed) = (change.hash, change.forgotten + change.changed.map(\.path))
            let isOther = try transaction.text(FileStatements.hash) != hash
            if isOther || !changed.isEmpty {
                try transaction.keep(change.changed, forget: change.forgotten, root: KeptFiles.fleetRoot, now: now)
                try transaction.post(FileStatements.count, hash)
                for path in change.forgotten { try transaction.publish(path, nil, now) }
                for file in change.changed { try transaction.publish(file.path, file.digest, now) }
            }
            if change.isWhole {
                try transaction.noteWhole(machine, hash)
            } else {
                try transaction.note(change.arrived + changed, of: machine)
            }
            try transaction.post(FileStatements.noteZoneData, change.zoneData)
        }
    }
}

extension Transaction {
    /// Records that a content is in force since the last set. Nil is a file that is removed.
    fileprivate func publish(_ path: String, _ digest: String?, _ now: Timestamp) throws {
        try post(FileStatements.replace, path, digest, now)
        try post(FileStatements.add, path, digest, now)
    }
}

/// The statements over the definition files of a fleet.
enum FileStatements {
    /// The set in force.
    static let inForce = "SELECT number, hash FROM file_set"

    /// Notes that a machine has the files with a hash, if these are in force.
    static let noteWhole = """
        INSERT INTO machine_files (machine, number) SELECT $1, number FROM file_set WHERE hash = $2
        ON CONFLICT (machine) DO UPDATE SET number = excluded.number, noted = now()
        WHERE machine_files.number <> excluded.number
        """

    /// Forgets what a machine had of single files before it had all.
    static let forgetSingle = """
        DELETE FROM machine_file f USING machine_files m
        WHERE f.machine = $1 AND m.machine = $1 AND f.number <= m.number
        """

    /// The version of the zone data by which the files in force were read.
    static let zoneData = "SELECT zone_data FROM file_set WHERE zone_data IS NOT NULL"

    fileprivate static let noteZoneData = """
        UPDATE file_set SET zone_data = $1 WHERE coalesce(zone_data, '') <> coalesce($1, '')
        """
    fileprivate static let number = "SELECT number FROM file_set"
    fileprivate static let adopt = "UPDATE kept_file SET root = $1 WHERE root = $2"
    fileprivate static let hasKept = "SELECT 1 FROM kept_file WHERE root = $1 LIMIT 1"
    fileprivate static let addKept = """
        INSERT INTO published_file (path, digest, first)
        SELECT path, digest, (SELECT number FROM file_set) FROM kept_file WHERE root = $1
        """
    /// All contents of each file. `base` is the number of the last set that the machine had, whole or of this file.
    private static let history = """
        WITH history AS (
            SELECT f.path, f.digest, f.first, f.ended,
                coalesce(m.number, (SELECT number FROM machine_files WHERE machine = $1), 0) AS base
            FROM published_file f LEFT JOIN machine_file m ON m.machine = $1 AND m.path = f.path
        )
        """

    /// Makes a machine known, and that it is there.
    static let addMachine = """
        INSERT INTO machine_files (machine, number) VALUES ($1, 0) ON CONFLICT (machine) DO UPDATE SET noted = now()
        """

    /// Notes that a machine has what is in force of the files whose paths are in a JSON array, if that is newer than what it had.
    static let noteSingle = """
        \(history) INSERT INTO machine_file (machine, path, number)
        SELECT DISTINCT $1, h.path, s.number
        FROM jsonb_array_elements_text($2::jsonb) p JOIN history h ON h.path = p, file_set s
        WHERE h.ended IS NULL AND h.first > h.base
        ON CONFLICT (machine, path) DO UPDATE SET number = excluded.number
        """

    /// Whether what is in force of a file `h` was replaced after the base, and came back.
    private static let isReturned = """
        EXISTS (
            SELECT 1 FROM published_file e
            WHERE e.path = h.path AND e.digest IS NOT DISTINCT FROM h.digest AND e.ended > h.base
        )
        """

    /// The files whose content in force is newer than the base. A machine that has that of such a file got it after the base.
    static let arriving = """
        \(history) SELECT path, digest FROM history h
        WHERE ended IS NULL AND first > base AND NOT \(isReturned)
            AND (digest IS NOT NULL OR EXISTS (SELECT 1 FROM published_file e WHERE e.path = h.path AND e.first <= h.base))
        """

    fileprivate static let base = """
        \(history) SELECT path, digest FROM history
        WHERE digest IS NOT NULL AND first <= base AND (ended IS NULL OR ended > base)
        """
    fileprivate static let replaced = """
        \(history) SELECT path, digest FROM history h
        WHERE ended > base + 1 AND NOT EXISTS (
            SELECT 1 FROM published_file n
            WHERE n.path = h.path AND n.digest IS NOT DISTINCT FROM h.digest AND n.ended IS NULL
        )
        """
    fileprivate static let returned = """
        \(history) SELECT path FROM history h WHERE digest IS NOT NULL AND ended IS NULL AND \(isReturned)
        """
    fileprivate static let hash = "SELECT hash FROM file_set"
    fileprivate static let count = "UPDATE file_set SET number = number + 1, hash = $1"
    fileprivate static let replace = """
        UPDATE published_file SET ended = (SELECT number FROM file_set), replaced = $3
        WHERE path = $1 AND ended IS NULL AND digest IS DISTINCT FROM $2
        """
    /// The instant limits for how long it is known that a file was removed.
    fileprivate static let add = """
        INSERT INTO published_file (path, digest, first, replaced)
        SELECT $1, $2, number, CASE WHEN $2 IS NULL THEN $3 END FROM file_set
        WHERE NOT EXISTS (SELECT 1 FROM published_file n WHERE n.path = $1 AND n.ended IS NULL)
        """
    /// What a machine had is not known any more when contents of that set are removed.
    fileprivate static let forgetMachines = [
        "UPDATE machine_files SET number = 0 WHERE number < \(forgotten)",
        "DELETE FROM machine_file WHERE number < \(forgotten)",
    ]
    private static let forgotten = "(SELECT max(ended) FROM published_file WHERE replaced < $1)"
    fileprivate static let removeMachines = """
        DELETE FROM machine_files
        WHERE number < (SELECT number FROM file_set) AND noted < now() - interval '366 days'
        """
    fileprivate static let removeReplaced = "DELETE FROM published_file WHERE replaced < $1"
}
