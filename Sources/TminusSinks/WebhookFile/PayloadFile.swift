import TminusCore

/// A file to which several writers append whole lines, also of other processes.
///
/// Whoever appends holds flock(2) on the file. Under it the end of the file is always the end of a line: a line that a
/// killed writer left unfinished is removed by the next one, and a line that does not fit on the disk is taken back.
final class PayloadFile: Sendable {
    private let queue: PayloadQueue
    private let place: PayloadPlace

    /// A file that is opened with the first line.
    init(
        path: String, isSynced: Bool, rotation: PayloadRotation, now: @escaping @Sendable () -> Timestamp, log: SinkLog
    ) {
        let place = PayloadPlace(path: path, isSynced: isSynced)
        self.place = place
        queue = PayloadQueue { queue in
            PayloadWriter(path: path, isSynced: isSynced, rotation: rotation, now: now, place: place, log: log)
                .write(queue)
        }
    }

    /// Appends one line, given with its line break, whole or not at all.
    func append(_ line: [UInt8]) async throws(DeliveryError) -> DeliveryReport {
        try await queue.append(line)
    }

    /// Closes the file after the last line. Who asks is not kept waiting for a call that blocks on the file: it may never end.
    func close() async {
        let place = place
        guard !queue.isBusy else { return queue.enqueue { place.forget() } }
        place.forget()
    }
}
