/// A place in a file. Lines and columns count from 1; columns count Unicode scalars.
public struct SourceLocation: Sendable, Hashable, Comparable, Codable {
    /// The path as shown to the user.
    public var file: String
    /// The line, from 1; 0 means the whole file.
    public var line: Int
    /// The column, from 1; 0 means the whole line.
    public var column: Int

    /// Creates a place in `file`.
    public init(file: String, line: Int = 0, column: Int = 0) {
        self.file = file
        self.line = line
        self.column = column
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

/// A problem in a file: what is wrong, where, and what to write instead.
public struct Diagnostic: Sendable, Hashable {
    /// The severity of a diagnostic.
    public enum Severity: String, Sendable, Hashable, Codable {
        /// The file is rejected.
        case error
        /// The file is applied despite the problem.
        case warning
        /// Additional information about another diagnostic.
        case note
    }

    /// The severity.
    public var severity: Severity
    /// One sentence without a full stop: the problem, what was expected, a suggestion.
    public var message: String
    /// The start of the problem.
    public var location: SourceLocation
    /// The number of columns to underline; at least 1.
    public var length: Int
    /// The text of the line to underline; nil if there is none.
    public var sourceLine: String?
    /// The column of ``sourceLine`` to begin the underline at, where it differs from that of the file because a part of
    /// the line is hidden; nil otherwise.
    package var caret: Int?
    /// The number of columns of ``sourceLine`` to underline, where it differs from ``length``; nil otherwise.
    package var caretLength: Int?
    /// Further relevant places, such as the first of two duplicates.
    public var notes: [Diagnostic]

    /// Creates a diagnostic.
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
