internal import Logging
internal import ServiceLifecycle
internal import TminusControl
internal import TminusSystem

/// Tells the service manager when the daemon is ready, reloads and stops, and what is in force (sd_notify(3)).
///
/// A service manager that is gone changes nothing.
struct ManagerNotifier: Service {
    let socket: NotifySocket
    let inbox: Mailbox<ManagerReport.Event>
    let status: StatusPublisher
    let reloads: ReloadDesk
    let logger: Logger

    /// How often, and how soon after each other, a datagram is sent that the service manager has no room for.
    private static let tries = 100
    private static let pause = Duration.milliseconds(50)

    /// Runs until graceful shutdown, which it reports.
    func run() async {
        var report = ManagerReport()
        var problem: String?
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in status.changes where status.inForce.lastAttempt != nil { note(status.inForce) }
            }
            for await _ in inbox.signals.cancelOnGracefulShutdown() {
                let events = inbox.takeAll()
                for case .reloading(let mark) in events { group.addTask { await follow(mark) } }
                await tell(report.take(events, time: MonotonicTime.microseconds), &problem)
            }
            group.cancelAll()
        }
        await tell(report.take([.stopping], time: MonotonicTime.microseconds), &problem)
    }

    private func note(_ load: LoadStatus) { inbox.send(.loaded(status: load.live.line)) }

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

    /// Sends datagrams in order. Logs each new reason for a failure once.
    private func tell(_ datagrams: [String], _ problem: inout String?) async {
        for text in datagrams {
            var result = socket.send(text)
            for _ in 0..<Self.tries where result == .full {
                guard (try? await Task.sleep(for: Self.pause, clock: .continuous)) != nil else { break }
                result = socket.send(text)
            }
            let former = problem
            switch result {
            case .sent: problem = nil
            case .full: problem = "it does not read its socket"
            case .failed(let reason): problem = reason
            }
            guard let problem, problem != former else { continue }
            logger.warning("the service manager cannot be notified", metadata: ["reason": "\(problem)"])
        }
    }
}
