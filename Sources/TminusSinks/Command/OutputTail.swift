import Subprocess
import Synchronization

/// The last 4 KiB of a stream; what came before is forgotten.
struct OutputTail: Sendable {
    /// How much is kept.
    static let limit = 4096
    /// What is kept, and at most as much again that will be forgotten.
    private(set) var kept: [UInt8] = []

    /// Takes the next piece of the stream.
    mutating func append(_ piece: UnsafeRawBufferPointer) {
        kept.append(contentsOf: piece.suffix(Self.limit))
        // Trimmed only now and then, so that a byte at a time does not move 4 KiB for each.
        if kept.count > 2 * Self.limit { kept.removeFirst(kept.count - Self.limit) }
    }

    /// What is kept.
    var bytes: ArraySlice<UInt8> { kept.suffix(Self.limit) }

    /// The last line that is not blank, fit for a message of one line; nil if there is none.
    var lastLine: String? {
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        for line in lines.reversed() {
            let text = PlainText.line(String(decoding: line, as: UTF8.self))
            if text.contains(where: { $0 != " " }) { return PlainText.shortened(text, to: 200) }
        }
        return nil
    }

    /// Reads a stream of a process until its end. The reader never stops, so that the process cannot block on it.
    static func read(_ stream: SubprocessOutputSequence, processHasEnded: borrowing Atomic<Bool>) async -> OutputTail {
        var tail = OutputTail()
        var late = 0
        do {
            for try await piece in stream {
                piece.withUnsafeBytes { tail.append($0) }
                // Another process may have inherited the pipe and write to it for ever.
                if processHasEnded.load(ordering: .relaxed) { late += piece.count }
                if late > 1 << 20 { break }
                // A full pipe gives pieces without a pause; others want to run too.
                await Task.yield()
            }
        } catch {
            // What was read so far is what can be told.
        }
        return tail
    }
}
