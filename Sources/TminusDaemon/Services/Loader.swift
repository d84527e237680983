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

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var loader = loader
            var former: LoadResult?
            for await contents in source.contents {
                let result = loader.load(contents, now: clock.now)
                step(result, after: former)
                former = result
            }
        }
    }

    private func step(_ result: LoadResult, after former: LoadResult?) {
        let known = Set(former?.diagnostics ?? [])
        let news = result.diagnostics.filter { !known.contains($0) }
        if !news.isEmpty { report(news) }
        let remaining = result.diagnostics.filter { $0.severity == .error }.count
        if former.map({ $0.diagnostics.contains { $0.severity == .error } }) == true, remaining == 0 {
            logger.notice("all files are in order again")
        }
        guard result.set != former?.set else { return }
        logger.notice(
            "definitions in force",
            metadata: ["definitions": "\(result.set.definitions.count)", "files": "\(result.files.count)", "errors": "\(remaining)"])
        scheduler.send(.definitions(result.set))
    }
}
