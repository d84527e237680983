/// The keys of one mapping: what decodes it, checks it, describes it. One table, so that these cannot drift apart.
public struct KeyTable: Sendable {
    /// What a key's value looks like.
    public indirect enum ValueType: Sendable, Hashable {
        /// Any text.
        case text
        /// `true` or `false`.
        case boolean
        /// A whole number in a range.
        case integer(ClosedRange<Int>)
        /// An exact length of time, such as `1h 30m`.
        case duration
        /// A lead time, such as `1 day`.
        case lead
        /// A local date-time, an RFC 3339 instant or a date.
        case dateTime
        /// The IANA name of a time zone.
        case zone
        /// The id of a sink, a built-in sink, or an inline sink.
        case action
        /// One of these words.
        case choice([String])
        /// A list of that, or a single one.
        case oneOrMore(ValueType)
        /// A list of that.
        case list(ValueType)
        /// Any keys, each with a value of that type.
        case map(ValueType)
        /// A mapping with the keys of another table, by its name.
        case table(String)
        /// One of several forms.
        case either([ValueType])
    }

    /// One key.
    public struct Key: Sendable {
        /// As written in a file.
        public var name: String
        /// What its value looks like.
        public var type: ValueType
        /// One sentence for the reference.
        public var summary: String
        /// Whether leaving it out is an error.
        public var isRequired: Bool
        /// What holds when it is left out, as one would write it.
        public var standard: String?

        /// A key.
        public init(
            _ name: String, _ type: ValueType, _ summary: String, isRequired: Bool = false, standard: String? = nil
        ) {
            self.name = name
            self.type = type
            self.summary = summary
            self.isRequired = isRequired
            self.standard = standard
        }
    }

    /// What the mapping is called in messages: `timer`, `webhook sink`.
    public var name: String
    /// In the order of the reference.
    public var keys: [Key]

    /// A table.
    public init(_ name: String, _ keys: [Key]) {
        self.name = name
        self.keys = keys
    }

    /// The key of that name.
    public subscript(name: String) -> Key? {
        keys.first { $0.name == name }
    }
}
