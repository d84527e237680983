import Dispatch
import Synchronization
import TminusCore

/// Gathers the lines of deliveries that run at the same time, so that one lock, one write and one fdatasync(2) serve them all.
///
/// One thread writes. While it writes, lines gather; then it takes them all.
final class PayloadQueue: Sendable {
    /// A line that somebody waits for.
    struct Line: Sendable {
        /// With its line break.
        let bytes: [UInt8]
        fileprivate let ticket: Ticket<DeliveryReport>

        /// Whether the delivery was given up meanwhile: then the line must not be written any more.
        var isOver: Bool { ticket.isOver }
    }

    /// How a line ended.
    struct End: Sendable {
        let line: Line
        let result: Result<DeliveryReport, DeliveryError>
    }

    private struct State {
        var lines: [Line] = []
        /// Whether the thread is at work or about to be.
        var isAwake = false
    }

    private let state = Mutex(State())
    private let thread = DispatchQueue(label: "tminus.webhook-file")
    /// Writes the lines that ``take()`` hands out; called on the thread while there are any.
    private let write: @Sendable (PayloadQueue) -> [End]

    /// A queue whose lines `write` writes.
    init(write: @escaping @Sendable (PayloadQueue) -> [End]) {
        self.write = write
    }

    /// Whether lines wait or are being written, also such that nobody waits for any more.
    var isBusy: Bool { state.withLock { $0.isAwake } }

    /// Appends a line; returns when it is written or, without waiting for it, when the task is cancelled.
    func append(_ bytes: [UInt8]) async throws(DeliveryError) -> DeliveryReport {
        let ticket = Ticket<DeliveryReport>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                ticket.attach(continuation)
                add(Line(bytes: bytes, ticket: ticket))
            }
        } onCancel: {
            ticket.finish(.failure(.stopped))
        }
        return try result.get()
    }

    /// The lines that wait. Called on the thread, under the lock of the file, so that as many as possible share it.
    func take() -> [Line] {
        let lines = state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
        return lines.filter { !$0.isOver }
    }

    /// Runs `work` on the thread after what is queued, without a result.
    func enqueue(_ work: @escaping @Sendable () -> Void) {
        thread.async(execute: work)
    }

    private func add(_ line: Line) {
        let mustWake = state.withLock { state in
            state.lines.append(line)
            defer { state.isAwake = true }
            return !state.isAwake
        }
        if mustWake { thread.async { [self] in drain() } }
    }

    private func drain() {
        while true {
            let ends = write(self)
            // Before anyone hears of the end, so that who does finds the queue idle.
            let isOver = state.withLock { state in
                state.isAwake = !state.lines.isEmpty
                return !state.isAwake
            }
            for end in ends { end.line.ticket.finish(end.result) }
            if isOver { return }
        }
    }
}
