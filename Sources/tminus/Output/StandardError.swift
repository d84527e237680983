internal import Dispatch
internal import Glibc
internal import Synchronization
internal import TminusControl
internal import TminusCore
internal import TminusSystem
internal import TminusTerminal
internal import TminusTooling

/// Writes to standard error.
///
/// A command waits for its reader. The daemon never does: it queues. If 1 MiB is queued, further texts are dropped, and their
/// number is logged once there is room.
final class StandardError: Sendable {
    /// The queue of this process.
    static let shared = StandardError()
    private static let limit = 1 << 20

    private struct State {
        var waiting: [UInt8] = []
        var dropped = 0
        /// How the daemon logs the number of dropped texts; nil for a command.
        var drops: ProblemOutput?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "standard-error")

    /// Queues all texts from now on, and reports those that were dropped in the format of the log.
    func startQueueing(reportingDropsAs output: ProblemOutput) {
        state.withLock { $0.drops = output }
    }

    /// Writes or queues a text, which should end in a newline. It may quote arguments and other text from outside: hidden
    /// characters are escaped.
    func write(_ text: String) {
        let bytes = Array(VisibleText.lines(text).utf8)
        let isFirst = state.withLock { state in
            guard state.drops != nil else {
                Self.put(bytes)
                return false
            }
            guard state.waiting.count + bytes.count <= Self.limit else {
                state.dropped += 1
                return false
            }
            defer { state.waiting += bytes }
            return state.waiting.isEmpty
        }
        if isFirst { queue.async { self.drain() } }
    }

    /// Writes why a command fails.
    func report(_ text: String) {
        write(Self.shortened(text) + "\n")
    }

    /// A text in which a line that quotes a very long argument is cut.
    static func shortened(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.count > longestLine ? $0.prefix(longestLine) + "…" : $0 }.joined(separator: "\n")
    }

    /// In characters.
    private static let longestLine = 400

    /// Warns if this machine's time zone is unknown and UTC is used instead.
    func warnOfMachineZone() {
        guard let problem = MachineZone.problem else { return }
        write("tminus: warning: using UTC as this machine's time zone: \(problem)\n")
    }

    /// Reports the items of an answer that cannot be shown.
    func warn(of unreadable: [ItemList.Unreadable]) {
        for item in unreadable { write("tminus: warning: \(SafeText.line(item.text))\n") }
    }

    /// Waits until what the daemon has queued is written, but at most a second, because nobody may read it.
    func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + .seconds(1))
    }

    private func drain() {
        let bytes = state.withLock { state in
            if state.dropped > 0, let drops = state.drops {
                state.waiting += Array(drops.text(dropped: state.dropped).utf8)
                state.dropped = 0
            }
            defer { state.waiting = [] }
            return state.waiting
        }
        Self.put(bytes)
    }

    private static func put(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {
                // Another program has made what it shares with this one non-blocking.
                var reader = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&reader, 1, -1)
                continue
            }
            // Standard error is closed, so there is nowhere to report it.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
