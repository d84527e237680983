internal import Logging
internal import ServiceLifecycle

/// Logs the sinks that no machine may deliver to.
struct SinkPlaceWatch: Service {
    let status: StatusPublisher
    let logger: Logger

    func run() async throws {
        var known: [String] = []
        for await _ in status.changes.cancelOnGracefulShutdown() {
            let unplaced = status.unplacedSinks
            for problem in unplaced where !known.contains(problem) {
                logger.warning("no machine may deliver to a sink", metadata: ["sink": "\(problem)"])
            }
            if unplaced.isEmpty, !known.isEmpty { logger.notice("there is a machine for each sink again") }
            known = unplaced
        }
    }
}
