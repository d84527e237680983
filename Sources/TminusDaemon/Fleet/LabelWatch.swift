internal import Logging
internal import ServiceLifecycle
internal import TminusCore

/// Logs the labels that sinks ask for and no machine has.
struct LabelWatch: Service {
    /// The most that are logged at once.
    private static let limit = 10

    let status: StatusPublisher
    let logger: Logger

    func run() async throws {
        var known: Set<Set<MachineLabel>> = []
        for await _ in status.changes.cancelOnGracefulShutdown() {
            let missing = status.missingLabels
            for labels in missing.subtracting(known).prefix(Self.limit) {
                logger.warning(
                    "no machine has the labels that a sink asks for",
                    metadata: ["labels": "\(MachineLabel.list(labels))"])
            }
            if missing.isEmpty, !known.isEmpty { logger.notice("there is a machine for each sink again") }
            known = missing
        }
    }
}
