/// The id of a definition: 1 to 64 of `A-Z a-z 0-9 . _ -`, other than `.` and `..`, unique in the config directory.
public struct DefinitionID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The id as written.
    public let rawValue: String

    /// The id; nil if `text` has a character or a length that is not allowed.
    public init?(_ text: String) {
        guard Self.isValid(text) else { return nil }
        rawValue = text
    }

    /// Whether `text` is a valid id of a definition or a sink.
    ///
    /// Clients of HTTP take `.` and `..` out of a path before they send it (RFC 3986, section 5.2.4), so `/items/../mute` is sent as
    /// `/mute`.
    public static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text != "." && text != ".."
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// What a text that is not a valid id breaks, for messages.
    package static func rule(brokenBy text: String) -> String {
        text == "." || text == ".."
            ? "a URL cannot contain it; add a letter" : "1 to 64 of the characters A-Z a-z 0-9 . _ -"
    }

    public var description: String { rawValue }
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The address of a delivery: the id of a sink, or `kind:hash` for a sink written inside an action.
public struct SinkKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The key as stored.
    public let rawValue: String

    /// A key from its stored form.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The id of a delivery. It is the same for every attempt, also after a crash, so receivers can use it as idempotency
/// key.
///
/// It is the first 128 bits of a SHA-256 over definition, occurrence, action and sink.
public struct DeliveryID: Sendable, Hashable, CustomStringConvertible {
    private let digest: Digest128

    /// The number of hexadecimal digits of an id.
    package static let digits = 32

    /// An id from its text; nil if that is not 32 hexadecimal digits in lower case.
    public init?(_ text: String) {
        guard let digest = Digest128(hexadecimal: text) else { return nil }
        self.digest = digest
    }

    /// The id of the delivery of one firing to one sink.
    public init(definition: DefinitionID, occurrence: Timestamp, action: FiringAction, sink: SinkKey) {
        var parts = DigestParts()
        parts.add(definition.rawValue)
        parts.add(occurrence.nanoseconds)
        parts.add(action.rawValue)
        parts.add(sink.rawValue)
        digest = Digest128(of: parts)
    }

    /// 32 hexadecimal digits.
    public var rawValue: String { digest.hexadecimal }

    public var description: String { rawValue }
}
