/// The id of a definition: 1 to 64 of `A-Z a-z 0-9 . _ -`, unique in the config directory.
public struct DefinitionID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The id as written.
    public let rawValue: String

    /// The id, or nil if `text` has a character or a length that an id may not have.
    public init?(_ text: String) {
        guard Self.isValid(text) else { return nil }
        rawValue = text
    }

    /// Whether `text` may be the id of a definition or of a sink.
    public static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    public var description: String { rawValue }
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a delivery is addressed to: the id of a sink, or `kind:hash` for a sink written inside an action.
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

/// The id of a delivery: the same on every attempt, also after a crash, so that it serves as idempotency key.
///
/// It is the first 128 bits of a SHA-256 over definition, occurrence, action and sink, in hexadecimal.
public struct DeliveryID: Sendable, CustomStringConvertible {
    private enum Form: Sendable {
        /// As numbers, which are compared and copied faster than text.
        case digest(Digest128)
        /// What it is the id of: the digest is made when somebody asks, each time.
        case subject(any DeliverySubject)
        /// What somebody asked for and no delivery has.
        case text(String)
    }

    private let form: Form

    /// 32 hexadecimal digits.
    public var rawValue: String {
        switch form {
        case .digest(let digest): digest.hexadecimal
        case .subject(let subject): subject.digest.hexadecimal
        case .text(let text): text
        }
    }

    /// The same, for who asks more than once.
    package var computed: DeliveryID {
        guard case .subject(let subject) = form else { return self }
        return DeliveryID(form: .digest(subject.digest))
    }

    /// An id from its stored form.
    public init(rawValue: String) {
        form = Digest128(hexadecimal: rawValue).map(Form.digest) ?? .text(rawValue)
    }

    /// The id of the delivery of one firing to one sink.
    public init(definition: DefinitionID, occurrence: Timestamp, action: FiringAction, sink: SinkKey) {
        form = .subject(Subject(definition: definition, occurrence: occurrence, action: action, sink: sink))
    }

    /// The id of that delivery, which it keeps.
    init(of subject: any DeliverySubject) { form = .subject(subject) }

    private init(form: Form) { self.form = form }

    /// Whether it is the id of that delivery, for who does not need the id itself.
    package func isOf(definition: DefinitionID, occurrence: Timestamp, action: FiringAction, sink: SinkKey) -> Bool {
        if case .subject(let subject) = form, subject.isOf(definition, occurrence, action, sink) { return true }
        return self == DeliveryID(definition: definition, occurrence: occurrence, action: action, sink: sink)
    }

    public var description: String { rawValue }
}

extension DeliveryID: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left.form, right.form) {
        case (.subject(let left), .subject(let right)):
            left === right || left.isSame(as: right) || left.digest == right.digest
        case (.text(let left), .text(let right)): left == right
        default: left.digest == right.digest
        }
    }

    public func hash(into hasher: inout Hasher) {
        if case .text(let text) = form { hasher.combine(text) } else { hasher.combine(digest) }
    }

    /// Nil of a text that is none.
    private var digest: Digest128? {
        switch form {
        case .digest(let digest): digest
        case .subject(let subject): subject.digest
        case .text: nil
        }
    }

    private final class Subject: DeliverySubject {
        let definition: DefinitionID
        let occurrence: Timestamp
        let firingAction: FiringAction
        let sink: SinkKey

        init(definition: DefinitionID, occurrence: Timestamp, action: FiringAction, sink: SinkKey) {
            (self.definition, self.occurrence, self.firingAction, self.sink) = (definition, occurrence, action, sink)
        }
    }
}

/// What an id stands for: an object, because an id is handed on many times. It never changes.
protocol DeliverySubject: AnyObject, Sendable {
    var definition: DefinitionID { get }
    var occurrence: Timestamp { get }
    var firingAction: FiringAction { get }
    var sink: SinkKey { get }
}

extension DeliverySubject {
    /// Whether it is the same, field by field. Others may still have the same digest: it is made of texts.
    fileprivate func isSame(as other: any DeliverySubject) -> Bool {
        isOf(other.definition, other.occurrence, other.firingAction, other.sink)
    }

    fileprivate func isOf(
        _ definition: DefinitionID, _ occurrence: Timestamp, _ action: FiringAction, _ sink: SinkKey
    ) -> Bool {
        self.occurrence == occurrence && self.definition == definition && firingAction == action
            // Byte by byte, as the digest: two texts of one sign may be equal without that.
            && self.sink.rawValue.utf8.elementsEqual(sink.rawValue.utf8)
    }

    fileprivate var digest: Digest128 {
        var parts = DigestParts()
        parts.add(definition.rawValue)
        parts.add(occurrence.nanoseconds)
        parts.add(firingAction.rawValue)
        parts.add(sink.rawValue)
        return Digest128(of: parts)
    }
}
