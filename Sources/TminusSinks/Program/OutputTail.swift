import TminusCore

/// The last 4 KiB of a stream; what came before is forgotten.
struct OutputTail: Sendable {
    /// How much is kept.
    static let limit = DeliveryReport.Excerpt.limit
    /// What is kept, and at most as much again that will be forgotten.
    private(set) var kept: [UInt8] = []
    /// How much there was in all.
    private(set) var total = 0

    /// Takes the next piece of the stream.
    mutating func append(_ piece: UnsafeRawBufferPointer) {
        total += piece.count
        kept.append(contentsOf: piece.suffix(Self.limit))
        // Trimmed only now and then, so that a byte at a time does not move 4 KiB for each.
        if kept.count > 2 * Self.limit { kept.removeFirst(kept.count - Self.limit) }
    }

    /// What is kept.
    var bytes: ArraySlice<UInt8> { kept.suffix(Self.limit) }

    /// What is kept, for the history; nil if there was nothing.
    func excerpt(_ redaction: Redaction) -> DeliveryReport.Excerpt? {
        guard total > 0 else { return nil }
        let isComplete = total == kept.count
        return .init(tail: redaction.clean(kept, isCutAtStart: !isComplete), isComplete: isComplete)
    }

    /// The last line that is not blank, fit for a message of one line; nil if there is none.
    func lastLine(_ redaction: Redaction = Redaction()) -> String? {
        let lines = redaction.clean(kept, isCutAtStart: total > kept.count).suffix(Self.limit)
            .split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        for line in lines.reversed() {
            let text = PlainText.line(String(decoding: line, as: UTF8.self))
            if text.contains(where: { $0 != " " }) { return PlainText.shortened(text, to: 200) }
        }
        return nil
    }
}
