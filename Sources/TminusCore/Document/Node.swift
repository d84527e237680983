/// A line and a column of a file, both from 1; columns count Unicode scalars.
public struct SourceMark: Sendable, Hashable, Comparable, Codable {
    /// From 1.
    public var line: Int
    /// From 1.
    public var column: Int

    /// A place in a file.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// From a mark to just before another.
public struct SourceRange: Sendable, Hashable, Codable {
    /// The first character.
    public var start: SourceMark
    /// Just behind the last character.
    public var end: SourceMark

    /// From `start` to just before `end`.
    public init(start: SourceMark, end: SourceMark) {
        self.start = start
        self.end = end
    }

    /// Of something that was not read from a file.
    public static let none = SourceRange(start: SourceMark(line: 0, column: 0), end: SourceMark(line: 0, column: 0))
}

/// A value of a YAML or JSON file, with the place where it stands. What a scalar means is decided by the key that it
/// belongs to, never by its looks, so all scalars are text here.
public struct Node: Sendable, Hashable, Codable {
    /// One entry of a mapping.
    public struct Entry: Sendable, Hashable, Codable {
        /// The key.
        public var key: String
        /// Where the key stands.
        public var keyRange: SourceRange
        /// The value.
        public var value: Node

        /// An entry of a mapping.
        public init(key: String, keyRange: SourceRange = .none, value: Node) {
            self.key = key
            self.keyRange = keyRange
            self.value = value
        }
    }

    /// What kind of value it is.
    public enum Content: Sendable, Hashable, Codable {
        /// Text, a number or a word.
        case scalar(String)
        /// JSON's `null`, or a YAML key without a value.
        case null
        /// A list.
        case sequence([Node])
        /// Keys with values, in the order of the file, each key once.
        case mapping([Entry])
    }

    /// What kind of value it is.
    public var content: Content
    /// Where it stands.
    public var range: SourceRange

    /// A value at a place.
    public init(_ content: Content, range: SourceRange = .none) {
        self.content = content
        self.range = range
    }

    /// What the value is called in a message.
    public var kindName: String {
        switch content {
        case .scalar: "a single value"
        case .null: "nothing"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// A form of the content in which marks and the order of keys do not count: equal texts, equal meaning.
    package var canonicalText: String {
        switch content {
        case .scalar(let text): "\(text.utf8.count):\(text)"
        case .null: "~"
        case .sequence(let items): "[" + items.map(\.canonicalText).joined() + "]"
        case .mapping(let entries):
            "{"
                + entries.sorted { $0.key < $1.key }
                .map { "\($0.key.utf8.count):\($0.key)\($0.value.canonicalText)" }.joined() + "}"
        }
    }
}
