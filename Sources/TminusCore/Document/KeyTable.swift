/// The keys of one mapping. The decoder, the JSON Schema and the reference all use this one table, so they cannot drift
/// apart.
public struct KeyTable: Sendable {
    /// One key.
    public struct Key: Sendable {
        /// The name as written in a file.
        public var name: String
        /// The type of its value.
        public var type: ValueType
        /// One sentence for the reference.
        public var summary: String
        /// Whether the key is required.
        public var isRequired: Bool
        /// The default value as written in YAML; nil if there is none.
        public var standard: String?
        /// The default in words, if it cannot be written as a value.
        public var otherwise: String?
        /// An example value as written in YAML; nil if the type is example enough.
        public var example: String?
        /// Names that other programs give to such a key. A file that uses one gets this key as a suggestion.
        public var aliases: [String]

        /// Creates a key.
        public init(
            _ name: String, _ type: ValueType, _ summary: String, isRequired: Bool = false, standard: String? = nil,
            otherwise: String? = nil, example: String? = nil, aliases: [String] = []
        ) {
            self.name = name
            self.type = type
            self.summary = summary
            self.isRequired = isRequired
            self.standard = standard
            self.otherwise = otherwise
            self.example = example
            self.aliases = aliases
        }
    }

    /// A constraint between keys.
    public enum Rule: Sendable, Hashable {
        /// Exactly one of these keys must be present.
        case exactlyOne([String])
        /// The first key requires the second, whose value must not be `except`. The reason ends the message.
        case needs(String, String, except: String? = nil, because: String)
    }

    /// The name of the mapping in messages: `timer`, `webhook sink`.
    public var name: String
    /// The keys in the order of the reference.
    public var keys: [Key]
    /// The constraints between the keys.
    public var rules: [Rule]

    /// Creates a table.
    public init(_ name: String, _ keys: [Key], rules: [Rule] = []) {
        self.name = name
        self.keys = keys
        self.rules = rules
    }

    /// Whether exactly one key of a group that contains this key is required.
    package func isChoice(_ name: String) -> Bool {
        rules.contains { if case .exactlyOne(let names) = $0 { names.contains(name) } else { false } }
    }

    /// The keys to suggest for an unknown name: those with this alias, else those with the nearest name or alias. A short
    /// alias is near to many names, so it must match exactly.
    package func near(to name: String) -> [String] {
        let known = keys.filter { $0.aliases.contains(name) }
        guard known.isEmpty else { return known.map(\.name) }
        let aliases = keys.flatMap(\.aliases).filter { $0.utf8.count > 3 }
        guard let near = Suggestion.nearest(to: name, in: keys.map(\.name) + aliases) else { return [] }
        return self[near] != nil ? [near] : keys.filter { $0.aliases.contains(near) }.map(\.name)
    }

    /// The key with that name.
    public subscript(name: String) -> Key? {
        keys.first { $0.name == name }
    }
}
