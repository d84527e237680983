package import TminusCore
internal import TminusSQLite
internal import TminusSystem

/// `tminus restore`: puts the store and the definitions of a backup, or a copy of a store, in the place of the present ones.
///
/// What is restored is written beside the present files first and checked. Then both change places by renames, which are
/// written down before the first one (``RestoreJournal``).
package struct Restore: Sendable {
    /// What is restored.
    package enum Source: Sendable, Hashable {
        /// An archive of `tminus backup`.
        case backup(String)
        /// A copy of a store, such as one from before a migration.
        case store(String)
    }

    /// What is restored.
    package var source: Source
    /// The directory of the definitions; nil if it is left as it is.
    package var config: String?
    /// The state directory.
    package var stateDirectory: String
    /// The store that is replaced.
    package var storePath: String
    /// Whether what was due since the copy was made is sent, as after a downtime.
    package var catchesUp: Bool
    /// Whether other users may be able to write the state directory.
    package var allowsInsecurePermissions: Bool

    /// What was done.
    package struct Result: Sendable {
        /// When the backup was made and by which version; nil for a copy of a store.
        package var origin: String?
        /// Where the former store and the former directory are now.
        package var aside: [String]
        /// How many undelivered deliveries were discarded.
        package var discarded: Int
    }

    /// A restore of these places, which must be absolute.
    package init(
        source: Source, config: String?, stateDirectory: String, storePath: String, catchesUp: Bool,
        allowsInsecurePermissions: Bool
    ) {
        self.source = source
        self.config = config.map { path in
            String(path.reversed().drop { $0 == "/" }.reversed())
        }
        self.stateDirectory = stateDirectory
        self.storePath = storePath
        self.catchesUp = catchesUp
        self.allowsInsecurePermissions = allowsInsecurePermissions
    }

    /// Restores.
    ///
    /// - Throws: ``ToolError``; then nothing was changed, unless the message says how to go on.
    package func run(now: Timestamp) async throws(ToolError) -> Result {
        let lock = try Self.lock(stateDirectory, allowsInsecurePermissions)
        try RestoreJournal.refuseIfPresent(in: stateDirectory)
        let config = if case .backup = source { self.config } else { String?.none }
        if let config, [stateDirectory, storePath].contains(where: { $0 == config || $0.hasPrefix("\(config)/") }) {
            throw ToolError(
                .usage,
                "\(config): has the state inside, and a restore replaces the whole directory; "
                    + "move the state out of it, and name it with --state")
        }
        let storeLock = try Self.lock(store: storePath)
        let staged = Staged(store: storePath, config: config)
        staged.remove()
        do throws(ToolError) {
            let (origin, discarded) = try await stage(staged, now: now)
            let (moves, aside) = staged.moves(now: now)
            try RestoreJournal(moves: moves).perform(in: stateDirectory)
            storeLock?.release()
            lock.release()
            return Result(origin: origin, aside: aside, discarded: discarded)
        } catch {
            staged.remove()
            throw error
        }
    }

    /// Finishes a restore that was interrupted.
    package static func resume(stateDirectory: String, allowsInsecurePermissions: Bool) throws(ToolError) {
        let lock = try Self.lock(stateDirectory, allowsInsecurePermissions)
        try RestoreJournal.interrupted(in: stateDirectory).resume(in: stateDirectory)
        lock.release()
    }

    private static func lock(_ directory: String, _ allowsInsecurePermissions: Bool) throws(ToolError) -> StateLock {
        do throws(SystemError) {
            // The service's directory belongs to its user, and root restores it, unless every user can write it.
            let isOfService =
                MachinePaths.isRoot && directory == MachinePaths.systemStateDirectory
                && FileAccess(at: directory).map { $0.mode & 0o002 == 0 } ?? false
            let lock = try StateLock(
                directory: directory, allowInsecurePermissions: allowsInsecurePermissions || isOfService)
            NewFile.takeOwner(of: directory, for: "\(directory)/tminus.lock")
            return lock
        } catch {
            guard error.kind == .inUse else { throw ToolError(error) }
            let process = StateLock.holder(of: directory).map { " (process id \($0.process))" } ?? ""
            throw ToolError(.inputOutput, "a daemon\(process) runs on \(directory); stop it, then restore")
        }
    }

    /// The lock of the present store, which a daemon with another state directory may use; nil if there is none, or one that
    /// nobody can open.
    private static func lock(store path: String) throws(ToolError) -> StoreLock? {
        guard FilePlacing.isTaken(path) else { return nil }
        do throws(StoreError) {
            return try StoreLock(replacing: path)
        } catch {
            guard error.kind == .locked else { return nil }
            throw ToolError(.inputOutput, "\(path): a daemon uses this store; stop it, then restore")
        }
    }

    /// Writes what is restored beside the present files, and checks it.
    private func stage(_ staged: Staged, now: Timestamp) async throws(ToolError) -> (origin: String?, discarded: Int) {
        var origin: String?
        switch source {
        case .backup(let path):
            let archive = try BackupArchive(path)
            let manifest = archive.manifest
            guard manifest.schema <= SQLiteStore.schema else {
                throw ToolError(
                    .badData,
                    "\(path): was made by a newer tminus (\(VisibleText.escaped(manifest.version))); restore it with that one, or a newer one"
                )
            }
            origin = VisibleText.escaped("\(manifest.made) (tminus \(manifest.version))")
            try archive.extractStore(to: staged.store)
            if let config = staged.config { try archive.extractConfig(to: config) }
        case .store(let path):
            guard FilePlacing.size(of: path) != nil else {
                throw ToolError(.inputOutput, "\(path): there is no such file")
            }
            for suffix in ["-wal", "-journal"] where FilePlacing.isTaken(path + suffix) {
                throw ToolError(
                    .inputOutput,
                    "\(path): is in use, or was not closed: there is '\(path + suffix)'; a copy that tminus made has none"
                )
            }
            do throws(SystemError) { try Self.copy(path, to: staged.store) } catch { throw ToolError(error) }
        }
        let discarded: Int
        do throws(StoreError) { discarded = try await prepare(staged.store, now: now) } catch { throw ToolError(error) }
        staged.takeOwners(stateDirectory: stateDirectory)
        return (origin, discarded)
    }

    /// Checks the store, brings it up to date, and keeps from being sent what may have been sent. Afterwards it is one file.
    private func prepare(_ path: String, now: Timestamp) async throws(StoreError) -> Int {
        _ = try SQLiteStore.check(copy: path)
        let store = try SQLiteStore(restored: path)
        let discarded = catchesUp ? 0 : try await store.markRestored(now: now)
        try await store.close()
        return discarded
    }

    private static func copy(_ path: String, to target: String) throws(SystemError) {
        let reader = try FileReading(path)
        let file = try NewFile(target, mode: 0o600)
        while true {
            let bytes = try reader.next(limit: 65_536)
            if bytes.isEmpty { break }
            try file.write(bytes[...])
        }
        try file.finish(modified: Int(TimerFDClock.now.nanoseconds / 1_000_000_000))
    }
}

/// What is restored, before it is in its place: beside what it replaces, so that a rename is enough.
private struct Staged {
    let store: String
    let config: String?
    private let storeTarget: String
    private let configTarget: String?

    init(store: String, config: String?) {
        (storeTarget, configTarget) = (store, config)
        self.store = "\(store).restoring"
        self.config = config.map { "\($0).restoring" }
    }

    /// Removes what an attempt left.
    func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] { FilePlacing.remove(store + suffix) }
        if let config { FilePlacing.removeTree(config) }
    }

    /// Gives it the owners of what it replaces.
    func takeOwners(stateDirectory: String) {
        NewFile.takeOwner(of: FilePlacing.isTaken(storeTarget) ? storeTarget : stateDirectory, for: store)
        if let config, let configTarget { NewFile.takeOwner(of: configTarget, for: config) }
    }

    /// The renames, and where the former store and directory are afterwards.
    func moves(now: Timestamp) -> (moves: [RestoreJournal.Move], aside: [String]) {
        let suffix = suffix(now)
        var moves: [RestoreJournal.Move] = []
        var aside: [String] = []
        let former = storeTarget + suffix
        // The log belongs to the file of its name: beside another one it would damage that.
        for part in ["", "-wal", "-shm", "-journal"] where FilePlacing.isTaken(storeTarget + part) {
            moves.append(RestoreJournal.Move(from: storeTarget + part, to: former + part))
            if part.isEmpty { aside.append(former) }
        }
        if let configTarget, FilePlacing.isTaken(configTarget) {
            moves.append(RestoreJournal.Move(from: configTarget, to: configTarget + suffix))
            aside.append(configTarget + suffix)
        }
        moves.append(RestoreJournal.Move(from: store, to: storeTarget))
        if let config, let configTarget { moves.append(RestoreJournal.Move(from: config, to: configTarget)) }
        return (moves, aside)
    }

    /// A suffix that no former restore has used: `.before-restore-20261124T140000Z`.
    private func suffix(_ now: Timestamp) -> String {
        let stamp = now.rfc3339.prefix { $0 != "." && $0 != "Z" }.filter { $0 != "-" && $0 != ":" }
        let base = ".before-restore-\(stamp)Z"
        var suffix = base
        var number = 2
        while FilePlacing.isTaken(storeTarget + suffix)
            || configTarget.map({ FilePlacing.isTaken($0 + suffix) }) ?? false
        {
            suffix = "\(base)-\(number)"
            number += 1
        }
        return suffix
    }
}
