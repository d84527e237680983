internal import TminusCore

/// Decides what the service manager is told, and when (sd_notify(3)).
struct ManagerReport: Sendable {
    /// What the daemon did.
    enum Event: Sendable {
        /// The directory was read, or reading it failed; with what is in force, or why nothing can be, in one line.
        case loaded(status: String)
        /// The control socket takes requests.
        case serving
        /// Somebody asked for a re-read of the directory.
        case reloading(ReloadDesk.Mark)
        /// A re-read that was asked for has ended.
        case reloaded
        /// The daemon stops.
        case stopping
    }

    private var status: String?
    private var isServing = false
    private var isReady = false
    private var isStopping = false
    /// The number of re-reads on their way.
    private var reloads = 0

    /// Takes events that came together. Returns the datagrams to send, in order.
    ///
    /// - Parameter time: The monotonic clock, in microseconds. After a reload signal the service manager ignores a
    ///   reload that began earlier.
    mutating func take(_ events: [Event], time: Int64) -> [String] {
        let former = status
        var hasNewReload = false
        var isReloaded = false
        for event in events {
            switch event {
            case .loaded(let text): status = VisibleText.line(text)
            case .serving: isServing = true
            case .reloading:
                reloads += 1
                hasNewReload = true
            case .reloaded:
                reloads -= 1
                isReloaded = true
            case .stopping: return stop()
            }
        }
        guard let status, isServing, !isStopping else { return [] }
        let line = "STATUS=\(status)"
        guard isReady else {
            isReady = true
            return reloads == 0 ? ["READY=1\n\(line)"] : ["READY=1\n\(line)", Self.reloading(at: time)]
        }
        var datagrams: [String] = []
        if hasNewReload { datagrams.append(Self.reloading(at: time)) }
        if reloads == 0, hasNewReload || isReloaded {
            datagrams.append("READY=1\n\(line)")
        } else if status != former {
            datagrams.append(line)
        }
        return datagrams
    }

    private mutating func stop() -> [String] {
        defer { isStopping = true }
        return isStopping ? [] : ["STOPPING=1\nSTATUS=stopping; running deliveries get half a minute"]
    }

    private static func reloading(at time: Int64) -> String { "RELOADING=1\nMONOTONIC_USEC=\(time)" }
}

extension ManagerReport.Event: MailboxMessage {
    /// Of what is in force only the newest counts.
    func join(_ waiting: inout [Self]) {
        if case .loaded = self { waiting.removeAll { if case .loaded = $0 { true } else { false } } }
        waiting.append(self)
    }
}
