internal import Logging
internal import TminusCore
internal import TminusPostgres
internal import TminusSQLite
internal import TminusSinks
internal import TminusSystem
internal import TminusTooling

/// How the daemon gets its store: the lock of a file, or the lease of a database, until which it may stand by.
extension Daemon {
    /// The store that was opened.
    struct OpenedStore {
        let store: any Store
        /// Its name in messages.
        let shown: String
        /// The clock by which things are due.
        let clock: any WallClock
        /// The same store, if it is a database.
        var database: PostgresStore?
        /// The same clock, if it is that of a database.
        var fleetClock: FleetClock?
    }

    /// The lock of a store in a file; nil for a database, which has a lease.
    func lockStore() throws -> StoreLock? {
        guard case .file(let path) = options.store else { return nil }
        // Before the lock, which makes the file.
        let isEmpty = FilePlacing.size(of: path) == 0
        let lock = try StoreLock(path: path)
        if isEmpty {
            logger.warning(
                "the store is empty: its state was lost, or never written; everything starts over",
                metadata: ["store": "\(path)"])
        }
        return lock
    }

    /// The store, once this daemon has it for itself; nil if it is to stop before.
    func openStore(
        _ record: StateLock.Record, _ place: DaemonPlace, _ manager: ManagerLink?, _ follower: Follower?,
        _ machine: TimerFDClock
    ) async throws -> OpenedStore? {
        switch options.store {
        case .file(let path): return OpenedStore(store: try SQLiteStore(path: path), shown: path, clock: machine)
        case .database(let address):
            let notices = StandbyNotices(record, config: options.configDirectory, manager, logger: logger)
            let clock = FleetClock(on: machine, measured: clockNotices.measured)
            return try await notices.run {
                guard let follower else { return try await openDatabase(address, clock, notices, nil) {} }
                let server = StandbyServer(
                    paths: options.socketPaths, allowsInsecurePermissions: options.allowsInsecurePermissions,
                    forwarder: follower.forwarder,
                    placed: { path in
                        place.opened(path)
                        notices.serves(at: path)
                    }, logger: logger)
                return try await server.run {
                    try await openDatabase(address, clock, notices, follower) {
                        follower.begin()
                        server.begin()
                    }
                }
            }.map { OpenedStore(store: $0, shown: $0.shownAddress, clock: clock, database: $0, fleetClock: clock) }
        }
    }

    private func openDatabase(
        _ address: String, _ clock: FleetClock, _ notices: StandbyNotices, _ follower: Follower?,
        standBy: @escaping @Sendable () -> Void
    ) async throws -> PostgresStore? {
        let machine = try MachineID(in: options.stateDirectory)
        let standsBy = options.standsBy
        // Asked when it is needed: the zone data may be upgraded meanwhile.
        @Sendable func zoneData() -> String? { SystemZoneDatabase().version }
        let wait = LeaseWait(isEndless: standsBy, zoneData: zoneData) { [logger] news in
            switch news {
            case .held(let leader) where standsBy:
                notices.follows(leader)
                standBy()
            case .held(let other): logger.notice("waits until the lease of \(other) is over")
            case .unreachable(let problem): notices.misses(problem)
            case .olderZoneData(let own, let other):
                logger.warning(
                    "the zone data of this machine is older than that of the last leader: takes over later than others",
                    metadata: ["tzdata": "\(own)", "leader.tzdata": "\(other)"])
            }
        }
        follower?.whenLeaderEnds { wait.wake() }
        return try await UntilStop().run {
            try await PostgresStore.opened(
                at: address, machine: machine.text, process: Self.process, clock: clock, wait: wait)
        } end: {
            wait.cancel()
        }
    }

    /// What delivers while this daemon stands by; nil if it does not.
    func follower() throws -> Follower? {
        guard case .database(let address) = options.store, options.standsBy else { return nil }
        let machine = try MachineID(in: options.stateDirectory)
        let own = FleetMachine(
            process: Self.process, version: options.version, started: TimerFDClock.now, labels: options.labels)
        return Follower(
            sinks: sinks, root: options.configDirectory, source: options.source, machine: own,
            files: FollowerFiles(definitions: options.definitions, logger: logger),
            forwarder: RequestForwarder(), clockNotices: clockNotices, logger: logger
        ) { owner, facts, clock in
            try await PostgresStore.opened(
                at: address, machine: machine.text, process: Self.process, run: owner, as: .follower, facts: facts,
                clock: clock)
        }
    }
}
