import TminusCore

/// The last 4 KiB of a stream, and what is needed to find secrets at their start.
struct OutputTail: Sendable {
    /// The number of bytes for the history.
    static let limit = DeliveryReport.Excerpt.limit
    /// The number of bytes to keep.
    static let capacity = limit + Redaction.margin
    /// The end of the stream, at most twice the capacity.
    private(set) var kept: [UInt8] = []
    /// The length of the whole stream.
    private var total = 0

    /// Appends the next piece of the stream.
    mutating func append(_ piece: UnsafeRawBufferPointer) {
        total += piece.count
        // What is kept must be one piece of the stream, because a secret may stand at any place in it.
        if piece.count > Self.capacity { kept.removeAll(keepingCapacity: true) }
        kept.append(contentsOf: piece.suffix(Self.capacity))
        // Trimmed only now and then: otherwise each byte of a stream that comes byte by byte would move 4 KiB.
        if kept.count > 2 * Self.capacity { kept.removeFirst(kept.count - Self.capacity) }
    }

    /// The tail for the history; nil if the stream was empty.
    func excerpt(_ redaction: Redaction) -> DeliveryReport.Excerpt? {
        total > 0 ? .init(tail: cleaned(redaction), isComplete: isComplete) : nil
    }

    /// The last line that is not blank, as part of a message of one line; nil if there is none.
    func lastLine(_ redaction: Redaction) -> String? {
        let lines = cleaned(redaction).suffix(Self.limit)
            .split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        for line in lines.reversed() {
            let text = VisibleText.line(String(decoding: line, as: UTF8.self))
            if text.contains(where: { $0 != " " }) { return PlainText.shortened(text, to: 200) }
        }
        return nil
    }

    private var isComplete: Bool { total == kept.count }

    private func cleaned(_ redaction: Redaction) -> [UInt8] {
        redaction.clean(kept, cuts: isComplete ? [] : .start)
    }
}
