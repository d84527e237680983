internal import Logging
internal import Synchronization
internal import TminusSystem

/// Says what a daemon does that stands by: to the log, to commands by the lock file, and to the service manager.
final class StandbyNotices: Sendable {
    private let record: StateLock.Record
    private let config: String
    private let manager: ManagerLink?
    private let logger: Logger
    private let state = Mutex((standby: StateLock.Standby?.none, socket: String?.none))
    private let lines: AsyncStream<String>
    private let line: AsyncStream<String>.Continuation

    /// Notices of a daemon that does not stand by yet. Its configuration directory is `config`.
    init(_ record: StateLock.Record, config: String, _ manager: ManagerLink?, logger: Logger) {
        self.record = record
        self.config = config
        self.manager = manager
        self.logger = logger
        (lines, line) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Another daemon leads: its host and its process.
    func follows(_ leader: String) {
        note(StateLock.Standby(leader: leader, config: config))
        logger.notice("stands by; \(leader) leads")
    }

    /// The database does not answer, for that reason.
    func misses(_ problem: String) {
        let leader = state.withLock(\.standby)?.leader
        note(StateLock.Standby(leader: leader, problem: problem, config: config))
        logger.warning("stands by; the database does not answer and is asked again", metadata: ["reason": "\(problem)"])
    }

    /// The control socket is at `path`.
    func serves(at path: String) {
        state.withLock { state in
            state.socket = path
            if let standby = state.standby { write(standby, socket: path) }
        }
    }

    /// Runs `body`, during which the daemon may stand by. Its result means that the daemon leads from now on; nil, that it ends.
    func run<Value: Sendable>(_ body: () async throws -> Value?) async throws -> Value? {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let manager {
                let notifier = StandbyNotifier(link: manager, lines: lines, logger: logger)
                group.addTask { await notifier.run() }
            }
            defer { group.cancelAll() }
            let value = try await body()
            if value != nil { leads() }
            return value
        }
    }

    private func leads() {
        guard let former = state.withLock(\.standby) else { return }
        write(nil, socket: nil)
        logger.notice("takes over\(former.leader.map { " from \($0)" } ?? "")")
        // The engine is pinged for the first time at half of the limit.
        manager?.watchdog?.feed()
    }

    private func note(_ standby: StateLock.Standby) {
        state.withLock { state in
            state.standby = standby
            write(standby, socket: state.socket)
        }
        line.yield(standby.words)
    }

    private func write(_ standby: StateLock.Standby?, socket: String?) {
        do throws(SystemError) {
            try record.note(standby, socket: socket)
        } catch {
            // Not fatal: commands then say that no daemon is running.
            logger.warning("cannot record that this daemon stands by", metadata: ["reason": "\(error)"])
        }
    }
}
