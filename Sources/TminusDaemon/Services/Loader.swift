internal import Logging
internal import ServiceLifecycle
internal import TminusCore
internal import TminusDefinitions

/// Turns every settled state of the directory into definitions, and tells the scheduler when they are others than before.
///
/// The last good content of each file is in the store too, for the next start. The scheduler does not wait for that: what is
/// in force here is right in any case.
struct Loader: Service {
    let source: any DefinitionSource
    let clock: any WallClock
    let loader: DefinitionLoader
    let store: any Store
    let scheduler: Mailbox<SchedulerInput>
    /// Takes what is live.
    let status: StatusBoard
    /// Takes diagnostics for the user.
    let report: @Sendable ([Diagnostic]) -> Void
    let logger: Logger

    /// - Throws: ``DaemonError`` if the source ends by itself.
    func run() async throws {
        try await cancelWhenGracefulShutdown {
            var run = LoaderRun(loader: loader)
            var isFirst = true
            for await contents in source.contents {
                if isFirst { await recall(contents.root, &run) }
                isFirst = false
                step(contents, &run)
                await keep(&run)
            }
            // Nothing would ever change again, and nobody would know.
            if !Task.isCancelled { throw DaemonError(.inputOutput, "\(run.root): the directory is no longer watched") }
        }
    }

    /// Gives the loader what a former run kept.
    private func recall(_ root: String, _ run: inout LoaderRun) async {
        do throws(StoreError) {
            run.loader.remember(try await store.keptFiles(root: root))
        } catch {
            logger.error(
                "the last good content of files is not known: those with errors are left out",
                metadata: ["error": "\(error)"])
        }
    }

    /// Has the store keep what is new.
    private func keep(_ run: inout LoaderRun) async {
        let change = run.unwritten
        guard !change.isEmpty else { return }
        do throws(StoreError) {
            try await store.keep(
                change.changed.values.sorted { $0.path < $1.path }, forget: change.forgotten.sorted(), root: run.root,
                now: clock.now)
            if run.written() { logger.notice("the content of files can be kept again") }
        } catch {
            guard run.refused(error) else { return }
            logger.error(
                "the content of files cannot be kept: a start while one has errors would leave it out",
                metadata: ["error": "\(error)"])
        }
    }

    private func step(_ contents: DirectoryContents, _ run: inout LoaderRun) {
        let change = run.load(contents, now: clock.now)
        status.publish(run.status)
        if !change.news.isEmpty { report(change.news) }
        if change.isInOrderAgain { logger.notice("all files are in order again") }
        if change.isWaiting {
            logger.error("no definitions yet: the directory cannot be read", metadata: ["config": "\(contents.root)"])
        }
        if change.isNewGeneration {
            logger.notice(
                "definitions in force",
                metadata: [
                    "definitions": "\(run.status.definitions)", "files": "\(contents.files.count)",
                    "errors": "\(change.errors)", "generation": "\(run.status.generation)",
                    "hash": "\(run.status.hash ?? "-")",
                ])
        }
        logger.debug("directory taken", metadata: status.figures)
        if let set = change.set { scheduler.send(.definitions(set)) }
    }
}
