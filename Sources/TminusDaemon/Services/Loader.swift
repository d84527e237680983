internal import Logging
internal import ServiceLifecycle
internal import TminusCore
internal import TminusDefinitions

/// Turns every settled state of the directory into definitions, and tells the scheduler when they are others than before.
struct Loader: Service {
    let source: any DefinitionSource
    let clock: any WallClock
    let loader: DefinitionLoader
    let scheduler: Mailbox<SchedulerInput>
    /// Takes diagnostics for the user.
    let report: @Sendable ([Diagnostic]) -> Void
    let logger: Logger

    /// - Throws: ``DaemonError`` if the source ends by itself.
    func run() async throws {
        try await cancelWhenGracefulShutdown {
            var run = LoaderRun(loader: loader)
            for await contents in source.contents { step(contents, &run) }
            // Nothing would ever change again, and nobody would know.
            if !Task.isCancelled { throw DaemonError(.inputOutput, "\(run.root): the directory is no longer watched") }
        }
    }

    private func step(_ contents: DirectoryContents, _ run: inout LoaderRun) {
        // With no instant to compare with, nothing is warned of as past: only the scheduler knows what has fired.
        let change = run.load(contents, now: .distantPast)
        if !change.news.isEmpty { report(change.news) }
        if change.isInOrderAgain { logger.notice("all files are in order again") }
        if change.isWaiting {
            logger.error("no definitions yet: the directory cannot be read", metadata: ["config": "\(contents.root)"])
        }
        guard let set = change.set else { return }
        logger.notice(
            "definitions in force",
            metadata: [
                "definitions": "\(set.definitions.count)", "files": "\(contents.files.count)",
                "errors": "\(change.errors)",
            ])
        scheduler.send(.definitions(set))
    }
}
