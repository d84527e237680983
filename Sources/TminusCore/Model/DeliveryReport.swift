/// The receiver's response to one attempt. It is kept with the attempt in the history, so it must never contain a
/// secret. All texts in it are bounded.
public struct DeliveryReport: Sendable, Hashable, Codable {
    /// The exit status of a command, from 0 to 255; nil if a signal ended it, or there is no command.
    public var exitStatus: Int?
    /// The number of the signal that ended a command.
    public var signal: Int?
    /// The status of an HTTP response.
    public var httpStatus: Int?
    /// What a command wrote to standard output.
    public var output: Excerpt?
    /// What a command, or the program behind a sink, wrote to standard error.
    public var errors: Excerpt?
    /// The body of an HTTP response.
    public var body: Excerpt?
    /// What the sink itself found or did, such as a repair.
    public var note: Excerpt?
    /// The host and the process that made the attempt, in a store that machines share. The store sets it, not a sink.
    package var machine: String?

    /// A report; omitted parts are nil.
    public init(
        exitStatus: Int? = nil, signal: Int? = nil, httpStatus: Int? = nil, output: Excerpt? = nil,
        errors: Excerpt? = nil, body: Excerpt? = nil, note: Excerpt? = nil
    ) {
        self.exitStatus = exitStatus
        self.signal = signal
        self.httpStatus = httpStatus
        self.output = output
        self.errors = errors
        self.body = body
        self.note = note
    }

    /// The report of a sink that has nothing to report.
    public static let empty = DeliveryReport()
}

extension DeliveryReport {
    /// A bounded part of a longer text, at most ``limit`` bytes in UTF-8.
    public struct Excerpt: Sendable, Hashable, Codable {
        /// The most bytes that are kept: 4 KiB.
        public static let limit = 4096

        /// The text. Bytes that are not UTF-8 become U+FFFD.
        public let text: String
        /// Whether text was cut off at the start.
        public let isCutAtStart: Bool
        /// Whether text was cut off at the end.
        public let isCutAtEnd: Bool

        /// The end of a stream. `isComplete` says whether `bytes` is the whole stream.
        public init(tail bytes: some Collection<UInt8>, isComplete: Bool = true) {
            let kept = Array(bytes.suffix(Self.limit))
            let isCut = !isComplete || kept.count < bytes.count
            // A cut inside a character leaves its last bytes, which are removed.
            let broken = isCut ? kept.prefix(3).prefix { $0 & 0b1100_0000 == 0b1000_0000 }.count : 0
            let whole = String(decoding: kept.dropFirst(broken), as: UTF8.self)
            var scalars = whole.unicodeScalars[...]
            var size = whole.utf8.count
            while size > Self.limit, let first = scalars.popFirst() { size -= UTF8.width(first) }
            text = String(scalars)
            isCutAtStart = isCut || scalars.startIndex > whole.startIndex
            isCutAtEnd = false
        }

        /// The beginning of a text. `isComplete` says whether `bytes` is the whole text.
        public init(head bytes: some Collection<UInt8>, isComplete: Bool = true) {
            var kept = Array(bytes.prefix(Self.limit))
            let isCut = !isComplete || kept.count < bytes.count
            if isCut, let last = kept.indices.last(where: { kept[$0] & 0b1100_0000 != 0b1000_0000 }) {
                // The first byte of a character determines its length (RFC 3629, section 3).
                let length = UTF8.length(ofCharacterBeginningWith: kept[last])
                if last + length > kept.count { kept.removeSubrange(last...) }
            }
            let whole = String(decoding: kept, as: UTF8.self)
            var scalars = whole.unicodeScalars[...]
            var size = whole.utf8.count
            while size > Self.limit, let last = scalars.popLast() { size -= UTF8.width(last) }
            text = String(scalars)
            isCutAtStart = false
            isCutAtEnd = isCut || scalars.endIndex < whole.endIndex
        }
    }
}

extension UTF8 {
    fileprivate static func length(ofCharacterBeginningWith byte: UInt8) -> Int {
        switch byte {
        case 0b1100_0000...0b1101_1111: 2
        case 0b1110_0000...0b1110_1111: 3
        case 0b1111_0000...0b1111_0111: 4
        default: 1
        }
    }
}
