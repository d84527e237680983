internal import ServiceLifecycle
internal import TminusControl
internal import TminusWatch

/// Requests re-reads of the config directory, and waits for their ends.
struct ReloadDesk: Sendable {
    /// The state of the daemon just before a request.
    struct Mark: Sendable, Hashable {
        /// The number of re-reads that had been carried out.
        var reloads = 0
    }

    let status: StatusPublisher
    /// Requests a re-read.
    let perform: @Sendable () -> Void
    /// Learns of each request.
    var announce: @Sendable (Mark) -> Void = { _ in }

    /// Requests a re-read. Returns what ``end(of:)`` needs.
    @discardableResult
    func request() -> Mark {
        let mark = Mark(reloads: status.watchStatus.reloads)
        announce(mark)
        perform()
        return mark
    }

    /// Returns when the content that the re-read found is in force.
    ///
    /// - Throws: ``Problem`` while the store refuses, because then nothing can be put in force. `CancellationError` if the daemon stops first.
    func end(of mark: Mark) async throws {
        try await cancelWhenGracefulShutdown {
            // Poll, because the watcher's thread sends no notification. It runs only while a re-read does.
            while status.watchStatus.reloads == mark.reloads { try await Task.sleep(for: .milliseconds(5)) }
            let read = status.watchStatus.emissions
            for await _ in status.changes {
                if status.inForce.state >= read { return }
                if let reason = status.refusal {
                    throw Problem(
                        .unavailable, "the edits are read, and are in force once the store can be written: \(reason)")
                }
            }
            throw CancellationError()
        }
    }
}
