internal import Logging
internal import TminusSystem

/// Tells the service manager that a daemon stands by, and feeds its watchdog meanwhile.
struct StandbyNotifier: Sendable {
    let link: ManagerLink
    /// What the daemon does, in one line each.
    let lines: AsyncStream<String>
    let logger: Logger

    /// Runs until its task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            if let watchdog = link.watchdog { group.addTask { await feed(watchdog) } }
            var report = ManagerReport()
            var sender = ManagerSender(socket: link.socket, logger: logger)
            for await line in lines {
                // To stand by is what it was started for, so that is as good as to serve.
                await sender.send(report.take([.serving, .loaded(status: line)], time: 0))
            }
            group.cancelAll()
        }
    }

    /// An attempt to connect may take long, so this does not depend on it.
    private func feed(_ watchdog: Watchdog) async {
        while !Task.isCancelled {
            let isSent = watchdog.feed()
            try? await Task.sleep(for: isSent ? watchdog.interval : watchdog.interval / 10, clock: .continuous)
        }
    }
}
