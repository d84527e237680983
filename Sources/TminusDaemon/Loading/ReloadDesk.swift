internal import ServiceLifecycle
internal import TminusCore
internal import TminusWatch

/// Requests re-reads of the config directory, and waits for their ends.
struct ReloadDesk: Sendable {
    /// The state of the daemon just before a request.
    struct Mark: Sendable, Hashable {
        /// The number of re-reads that had been carried out.
        var reloads = 0
        /// The number of states of the directory that had been passed on.
        var emissions = 0
        /// The wall time.
        var asked = Timestamp.distantPast
    }

    let status: StatusPublisher
    let clock: any WallClock
    /// Requests a re-read.
    let perform: @Sendable () -> Void
    /// Learns of each request.
    var announce: @Sendable (Mark) -> Void = { _ in }

    /// Requests a re-read. Returns what ``end(of:)`` needs.
    @discardableResult
    func request() -> Mark {
        let before = status.watchStatus
        let mark = Mark(reloads: before.reloads, emissions: before.emissions, asked: clock.now)
        announce(mark)
        perform()
        return mark
    }

    /// Returns when the content that the re-read found is in force.
    ///
    /// - Throws: `CancellationError` if the daemon stops first.
    func end(of mark: Mark) async throws {
        try await cancelWhenGracefulShutdown {
            // Poll, because the watcher's thread sends no notification. It runs only while a re-read does.
            while status.watchStatus.reloads == mark.reloads { try await Task.sleep(for: .milliseconds(5)) }
            guard status.watchStatus.emissions != mark.emissions else { return }
            for await load in status.updates {
                if let attempt = load.lastAttempt, attempt >= mark.asked { return }
            }
            throw CancellationError()
        }
    }
}
