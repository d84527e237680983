internal import Logging
internal import Synchronization
internal import TminusSystem

/// What clients read of this daemon in its lock file: the path of its control socket, and whether it is stopping.
final class SocketRecord: Sendable {
    private struct State {
        var path: String?
        var isStopping = false
    }

    private let record: StateLock.Record
    private let logger: Logger
    private let state = Mutex(State())

    /// A record in which there is nothing yet.
    init(_ record: StateLock.Record, logger: Logger) {
        self.record = record
        self.logger = logger
    }

    /// The control socket is at `path`.
    func serves(at path: String) { note { $0.path = path } }

    /// Nothing new fires any more.
    func stops() { note { $0.isStopping = true } }

    private func note(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            guard let path = state.path else { return }
            do throws(SystemError) {
                try record.note(socket: path, isStopping: state.isStopping)
            } catch {
                // Not fatal: clients then try the default paths.
                logger.warning("cannot record the path of the control socket", metadata: ["reason": "\(error)"])
            }
        }
    }
}
