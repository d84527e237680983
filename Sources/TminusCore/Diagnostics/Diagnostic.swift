/// A place in a file. Line and column count from 1; columns count Unicode scalars.
public struct SourceLocation: Sendable, Hashable, Comparable, Codable {
    /// The path as shown to the user.
    public var file: String
    /// From 1; 0: the file as a whole.
    public var line: Int
    /// From 1; 0: the line as a whole.
    public var column: Int

    /// A place in `file`.
    public init(file: String, line: Int = 0, column: Int = 0) {
        self.file = file
        self.line = line
        self.column = column
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

/// What is wrong with a file, where, and what to write instead.
public struct Diagnostic: Sendable, Hashable {
    /// How bad it is.
    public enum Severity: String, Sendable, Hashable, Codable {
        /// The file is not applied.
        case error
        /// The file is applied.
        case warning
        /// More about another diagnostic.
        case note
    }

    /// How bad it is.
    public var severity: Severity
    /// One sentence without a full stop: what is wrong, what was expected, a suggestion.
    public var message: String
    /// Where it starts.
    public var location: SourceLocation
    /// How many columns the caret range covers; at least 1.
    public var length: Int
    /// The text of the line, for the caret; nil where there is no line.
    public var sourceLine: String?
    /// More places that matter, such as the other one of a duplicate.
    public var notes: [Diagnostic]

    /// A diagnostic.
    public init(
        _ severity: Severity, _ message: String, at location: SourceLocation, length: Int = 1,
        sourceLine: String? = nil, notes: [Diagnostic] = []
    ) {
        self.severity = severity
        self.message = message
        self.location = location
        self.length = length
        self.sourceLine = sourceLine
        self.notes = notes
    }
}
