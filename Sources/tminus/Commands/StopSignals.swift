internal import ArgumentParser
internal import Dispatch
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// Ends the daemon by SIGTERM or SIGINT: the first signal gracefully, the second one at once.
struct StopSignals {
    /// The group with the daemon, which has not started yet.
    let services: ServiceGroup
    let logger: Logger

    /// How long the end may take after the second signal.
    private static let limit = 5

    /// Runs the services to their end.
    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup { group in
            group.addTask { try await services.run() }
            group.addTask { await follow(signals) }
            // Either the services have ended, or they are to end at once, for which they are cancelled.
            try await group.next()
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
    }

    /// Returns at the second signal.
    private func follow(_ signals: UnixSignalsSequence) async {
        var isFirst = true
        for await signal in signals {
            guard isFirst else {
                logger.notice("ending at once, because of a second signal", metadata: ["signal": "\(signal)"])
                return endForSure()
            }
            isFirst = false
            await services.triggerGracefulShutdown()
        }
    }

    /// Ends the process even if something, such as a store on a file system that hangs, never ends.
    private func endForSure() {
        DispatchQueue(label: "end").asyncAfter(deadline: .now() + .seconds(Self.limit)) {
            StandardError.shared.write("tminus: not everything ended within \(Self.limit) s\n")
            StandardError.shared.flush()
            exit(ExitStatus.inputOutput.rawValue)
        }
    }
}
