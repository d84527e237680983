internal import Logging
internal import ServiceLifecycle
internal import TminusControl
internal import TminusSystem

/// Tells the service manager when the daemon is ready, reloads and stops, and what is in force (sd_notify(3)).
struct ManagerNotifier: Service {
    let socket: NotifySocket
    let inbox: Mailbox<ManagerReport.Event>
    let status: StatusPublisher
    let reloads: ReloadDesk
    let logger: Logger

    /// Runs until graceful shutdown, which it reports.
    func run() async {
        var report = ManagerReport()
        var sender = ManagerSender(socket: socket, logger: logger)
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in status.changes { if let line { inbox.send(.loaded(status: line)) } }
            }
            for await _ in inbox.signals.cancelOnGracefulShutdown() {
                let events = inbox.takeAll()
                for case .reloading(let mark) in events { group.addTask { await follow(mark) } }
                await sender.send(report.take(events, time: MonotonicTime.microseconds))
            }
            group.cancelAll()
        }
        await sender.send(report.take([.stopping], time: MonotonicTime.microseconds))
    }

    /// What is in force, or why nothing can be: a daemon whose store refuses has started all the same. nil while it starts.
    private var line: String? {
        if status.inForce.lastAttempt != nil { return status.live.line }
        return status.refusal == nil ? nil : status.storeProblems.first
    }

    /// Waits for the end of a re-read.
    private func follow(_ mark: ReloadDesk.Mark) async {
        do {
            try await reloads.end(of: mark)
        } catch is CancellationError {
            // The daemon stops, so the end of the reload is not reported.
            return
        } catch {
            // The store refuses. The service manager need not wait for it: the edits were read.
        }
        inbox.send(.reloaded)
    }
}
