package import Logging
package import TminusCore
import TminusSystem

/// Watches a directory of definition files: with notifications and a slow rescan, or by polling where notifications are
/// not available.
///
/// Call `start()` and later `await stop()`, or `await run()`, which does both. A watcher is used once: when it ends,
/// ``contents`` ends. Only one watcher of a process gets notifications at a time; a second one polls, and takes over
/// within a minute after the first has ended.
package final class DirectoryWatcher: DefinitionSource {
    package let contents: AsyncStream<DirectoryContents>

    private let root: RawPath
    private let options: WatchOptions
    private let logger: Logger
    private let control = WatchControl()
    private let output: AsyncStream<DirectoryContents>.Continuation
    private let makeHints: WatchLoop.MakeHints?
    private let scanned: @Sendable (_ isIdle: Bool) -> Void

    /// A watcher of `root`, which need not exist. It does not watch until it is started.
    ///
    /// - Parameter scanned: Called on the watcher's thread after each scan, so at least every
    ///   ``WatchOptions/rescanInterval``. A caller can check other files there without another wake-up of the process.
    ///   `isIdle` is whether the scan was timed and found no change, and the next one is a whole interval away.
    package convenience init(
        root: String, options: WatchOptions = WatchOptions(), logger: Logger,
        scanned: @escaping @Sendable (_ isIdle: Bool) -> Void = { _ in }
    ) {
        #if Inotify
            self.init(root: root, options: options, logger: logger, scanned: scanned) { () throws(HintFailure) in
                try InotifyHints()
            }
        #else
            self.init(root: root, options: options, logger: logger, scanned: scanned, makeHints: nil)
        #endif
    }

    /// A watcher with another source of hints.
    init(
        root: String, options: WatchOptions, logger: Logger,
        scanned: @escaping @Sendable (_ isIdle: Bool) -> Void = { _ in },
        makeHints: WatchLoop.MakeHints?
    ) {
        self.scanned = scanned
        self.root = RawPath(absolute: root)
        self.options = options
        self.logger = logger
        self.makeHints = makeHints
        (contents, output) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        // The thread holds the control, not the watcher, so it also ends without a call of `stop()`.
        control.request { $0.stop = true }
    }

    /// The state of the watching.
    package var status: WatchStatus { control.status }

    package func reload() {
        control.request { $0.reload = true }
    }

    /// Starts to watch, on a thread of its own. Call it once. Returns the problem if no thread can be started; the
    /// contents have it, too.
    @discardableResult
    package func start() -> String? {
        guard let wake = control.open() else { return fail(ErrorText.last) }
        if options.mode == .events, makeHints == nil {
            logger.warning("this build has no notifications of changes: polling instead")
        }
        let (root, options, makeHints, control, logger, output) = (root, options, makeHints, control, logger, output)
        let scanned = scanned
        let code = DetachedThread.start(named: "watcher") {
            let loop = WatchLoop(
                root: root, options: options, makeHints: makeHints, control: control, logger: logger, scanned: scanned,
                emit: { output.yield($0) })
            loop.run(wake: wake)
            output.finish()
            control.close()
        }
        guard code != 0 else { return nil }
        control.close()
        return fail(ErrorText.of(code))
    }

    /// Stops watching. Returns when the thread has ended and everything is released, or after `limit`, because a file
    /// system may never answer.
    package func stop(within limit: Duration = .seconds(2)) async {
        control.request { $0.stop = true }
        guard control.isRunning else { return output.finish() }
        let ended = control.ended
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await ended.wait() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Watches until the task is cancelled. Returns the problem if no thread can be started.
    @discardableResult
    package func run() async -> String? {
        if let problem = start() { return problem }
        await control.ended.wait()
        control.request { $0.stop = true }
        // In a task of its own, because the present one is cancelled and could not wait.
        await Task { await stop() }.value
        return nil
    }

    private func fail(_ reason: String) -> String {
        let problem = "the directory cannot be watched: \(reason)"
        let diagnostic = Diagnostic(.error, problem, at: SourceLocation(file: root.shown))
        output.yield(DirectoryContents(root: root.text, problems: [diagnostic]))
        output.finish()
        return problem
    }
}
