/// A label of a machine of a fleet, such as `backup` or `zone=eu`. The option `run-on` of a sink names labels that a machine must
/// have to make its deliveries.
public struct MachineLabel: Sendable, Hashable, Comparable {
    /// The label as a user writes it.
    public let text: String

    /// What a label may be, for messages.
    package static let rule =
        "write 1 to 100 letters, digits, - _ . = or /, such as backup or zone=eu; 'any' and 'leader' mean something else"

    /// Labels as text, sorted.
    package static func list(_ labels: Set<MachineLabel>) -> String {
        labels.map(\.text).sorted().joined(separator: ", ")
    }

    /// Checks a label that a user wrote; nil if it is none.
    public init?(_ text: String) {
        let isSpelledWell = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "="), UInt8(ascii: "/"):
                true
            default: false
            }
        }
        guard isSpelledWell, (1...100).contains(text.utf8.count), SinkPlace(rawValue: text) == nil else { return nil }
        self.text = text
    }

    /// The label that every machine has: the name of its host. Nil for a name that is no label.
    package init?(host: String) { self.init("host=\(host)") }

    /// By their texts.
    public static func < (left: MachineLabel, right: MachineLabel) -> Bool { left.text < right.text }
}

extension MachineLabel: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let label = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected \(Self.rule)")
        }
        self = label
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
