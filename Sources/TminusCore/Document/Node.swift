/// A line and a column of a file, both counted from 1; columns count Unicode scalars.
public struct SourceMark: Sendable, Hashable, Comparable, Codable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int

    /// Creates a mark.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A half-open range of a file.
public struct SourceRange: Sendable, Hashable, Codable {
    /// The first character.
    public var start: SourceMark
    /// The mark after the last character.
    public var end: SourceMark

    /// Creates a range from `start` up to `end`.
    public init(start: SourceMark, end: SourceMark) {
        self.start = start
        self.end = end
    }

    /// The range of a value that was not read from a file.
    public static let none = SourceRange(start: SourceMark(line: 0, column: 0), end: SourceMark(line: 0, column: 0))
}

/// A value of a YAML or JSON file, with its range. The key decides what a scalar means, not its spelling, so all
/// scalars are text here.
public struct Node: Sendable, Hashable, Codable {
    /// One entry of a mapping.
    public struct Entry: Sendable, Hashable, Codable {
        /// The key.
        public var key: String
        /// The range of the key.
        public var keyRange: SourceRange
        /// The value.
        public var value: Node

        /// Creates an entry.
        public init(key: String, keyRange: SourceRange = .none, value: Node) {
            self.key = key
            self.keyRange = keyRange
            self.value = value
        }
    }

    /// The kinds of values.
    public enum Content: Sendable, Hashable, Codable {
        /// Text, a number or a word.
        case scalar(String)
        /// JSON's `null`, or a YAML key without a value.
        case null
        /// A list.
        case sequence([Node])
        /// Keys with values, in the order of the file and without duplicates.
        case mapping([Entry])
    }

    /// The content.
    public var content: Content
    /// The range in the file.
    public var range: SourceRange

    /// Creates a value.
    public init(_ content: Content, range: SourceRange = .none) {
        self.content = content
        self.range = range
    }

    /// The name of the kind of value, for messages.
    public var kindName: String {
        switch content {
        case .scalar: "a single value"
        case .null: "nothing"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// A normal form that ignores ranges and the order of keys: equal texts have equal meaning.
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
