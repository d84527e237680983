/// The keys of one mapping: what decodes it, checks it, describes it. One table, so that these cannot drift apart: the
/// decoder reads by it, and the JSON Schema and the reference are made from it.
public struct KeyTable: Sendable {
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
        /// What holds when it is left out, as one would write it in YAML.
        public var standard: String?
        /// What holds when it is left out, in words, where no value says it.
        public var otherwise: String?
        /// A value, as one would write it in YAML; nil: the type is example enough.
        public var example: String?

        /// A key.
        public init(
            _ name: String, _ type: ValueType, _ summary: String, isRequired: Bool = false, standard: String? = nil,
            otherwise: String? = nil, example: String? = nil
        ) {
            self.name = name
            self.type = type
            self.summary = summary
            self.isRequired = isRequired
            self.standard = standard
            self.otherwise = otherwise
            self.example = example
        }
    }

    /// What holds between keys.
    public enum Rule: Sendable, Hashable {
        /// One of these keys has to be there, and no second one.
        case exactlyOne([String])
        /// The first key makes sense only beside the other one, whose value is not `except`; the reason ends the message.
        case needs(String, String, except: String? = nil, because: String)
    }

    /// What the mapping is called in messages: `timer`, `webhook sink`.
    public var name: String
    /// In the order of the reference.
    public var keys: [Key]
    /// What holds between the keys.
    public var rules: [Rule]

    /// A table.
    public init(_ name: String, _ keys: [Key], rules: [Rule] = []) {
        self.name = name
        self.keys = keys
        self.rules = rules
    }

    /// Whether the key is one of those of which one has to be there.
    package func isChoice(_ name: String) -> Bool {
        rules.contains { if case .exactlyOne(let names) = $0 { names.contains(name) } else { false } }
    }

    /// The key of that name.
    public subscript(name: String) -> Key? {
        keys.first { $0.name == name }
    }
}
