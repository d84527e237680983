import Synchronization
import TminusCore

/// A file to which several writers, also of other processes, append whole lines.
///
/// A writer holds flock(2) on the file. Under the lock the end of the file is always the end of a line: the next writer removes a line
/// that a killed one left unfinished, and a line that does not fit on the disk is taken back.
///
/// One thread writes. Lines that come meanwhile wait together, so that one lock, one write(2) and one fdatasync(2) serve them all.
final class PayloadFile: Sendable {
    /// A line that a delivery waits for.
    struct Line: Sendable {
        /// With its line break.
        let bytes: [UInt8]
        fileprivate let ticket: Ticket<DeliveryReport>

        /// Whether the delivery was cancelled: then the line must no longer be written.
        var isOver: Bool { ticket.isOver }
    }

    /// How a line ended.
    struct End: Sendable {
        let line: Line
        let result: Result<DeliveryReport, DeliveryError>
    }

    private struct State {
        var lines: [Line] = []
        /// Whether the thread writes or is about to.
        var isBusy = false
    }

    private let state = Mutex(State())
    private let thread = BlockingQueue(label: "tminus.webhook-file")
    private let writer: PayloadWriter

    /// A file that is opened with the first line.
    init(
        path: String, isSynced: Bool, rotation: PayloadRotation, now: @escaping @Sendable () -> Timestamp, log: SinkLog
    ) {
        writer = PayloadWriter(
            path: path, isSynced: isSynced, rotation: rotation, now: now,
            place: PayloadPlace(path: path, isSynced: isSynced), log: log)
    }

    /// Appends one line, given with its line break, whole or not at all.
    func append(_ line: [UInt8]) async throws(DeliveryError) -> DeliveryReport {
        try await Ticket.result { add(Line(bytes: line, ticket: $0)) }
    }

    /// Closes the file after the last line. Does not wait for a call that blocks on the file, because it may never end.
    func close() {
        let place = writer.place
        guard !state.withLock(\.isBusy) else { return thread.enqueue { place.forget() } }
        place.forget()
    }

    private func add(_ line: Line) {
        let mustStart = state.withLock { state in
            state.lines.append(line)
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if mustStart { thread.enqueue { [self] in drain() } }
    }

    private func drain() {
        var hasMore = true
        while hasMore {
            let ends = writer.write(taking: takeLines)
            // Before a delivery ends, so that the file can be closed after the last one.
            hasMore = state.withLock { state in
                state.isBusy = !state.lines.isEmpty
                return state.isBusy
            }
            for end in ends { end.line.ticket.finish(end.result) }
        }
    }

    /// Takes the lines that wait.
    private func takeLines() -> [Line] {
        let lines = state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
        return lines.filter { !$0.isOver }
    }
}
