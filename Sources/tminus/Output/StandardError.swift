internal import Dispatch
internal import Glibc
internal import Synchronization
internal import TminusControl
internal import TminusTerminal
internal import TminusTooling

/// Standard error as a queue: whoever logs never waits for whoever reads.
///
/// If nobody reads and 1 MiB has gathered, further texts are dropped and their number is said as soon as there is room.
final class StandardError: Sendable {
    static let shared = StandardError()
    private static let limit = 1 << 20

    private struct State {
        var waiting: [UInt8] = []
        var dropped = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "standard-error")

    /// Appends a text, which should end in a newline.
    func write(_ text: String) {
        let isFirst = state.withLock { state in
            guard state.waiting.count + text.utf8.count <= Self.limit else {
                state.dropped += 1
                return false
            }
            defer { state.waiting += Array(text.utf8) }
            return state.waiting.isEmpty
        }
        if isFirst { queue.async { self.drain() } }
    }

    /// Says so if local times are those of UTC because nothing else is known.
    func warnOfMachineZone() {
        guard let problem = MachineZone.problem else { return }
        write("tminus: warning: the time zone of this machine is taken to be UTC: \(problem)\n")
    }

    /// Says which items of an answer are not shown.
    func warn(of unreadable: [ItemList.Unreadable]) {
        for item in unreadable { write("tminus: warning: \(SafeText.line(item.text))\n") }
    }

    /// Waits until all is written, but not longer than a second: nobody may be reading.
    func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + .seconds(1))
    }

    private func drain() {
        let bytes = state.withLock { state in
            if state.dropped > 0 {
                state.waiting += Array(
                    "tminus: \(state.dropped) log lines were dropped because nobody read them\n".utf8)
                state.dropped = 0
            }
            defer { state.waiting = [] }
            return state.waiting
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            // Nothing can be said about a standard error that is closed.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
