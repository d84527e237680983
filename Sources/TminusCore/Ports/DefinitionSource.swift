/// A source of definition files. Every value is complete, so there are no differences to apply.
public protocol DefinitionSource: Sendable {
    /// The directory's content, now and after every completed change.
    ///
    /// A value that has not been consumed is replaced by the next one.
    var contents: AsyncStream<DirectoryContents> { get }

    /// Requests that the directory is read again at once, without debouncing.
    func reload()
}

/// The definition files of a directory at one moment.
public struct DirectoryContents: Sendable, Equatable {
    /// The absolute path of the directory.
    public var root: String
    /// Counts the states of the directory that its source has sent: this is the one with that number.
    public var number: Int
    /// The files, ordered by path.
    public var files: [SourceFile]
    /// Problems with the directory itself: missing, unreadable, too deep.
    public var problems: [Diagnostic]
    /// What was not read because of its name or place when this value was created. A change of `ignored` alone creates
    /// no new value.
    public var ignored: IgnoredEntries

    /// The content of a directory.
    public init(
        root: String, number: Int = 0, files: [SourceFile] = [], problems: [Diagnostic] = [],
        ignored: IgnoredEntries = IgnoredEntries()
    ) {
        self.root = root
        self.number = number
        self.files = files
        self.problems = problems
        self.ignored = ignored
    }
}

/// One definition file.
public struct SourceFile: Sendable, Equatable {
    /// The content of a file.
    public enum Content: Sendable, Equatable {
        /// Its bytes, read whole and without a concurrent write.
        case bytes([UInt8])
        /// It cannot be read now; its last good content stays in force.
        case unreadable(reason: String)
    }

    /// The path below the root, with bytes that are not UTF-8 escaped. It is for display, and unique to the file.
    public var path: String
    /// The content.
    public var content: Content
    /// Identifies the content. A file with the same digest need not be parsed again.
    public var digest: String

    /// A file with the given content.
    public init(path: String, content: Content) {
        self.path = path
        self.content = content
        digest =
            switch content {
            case .bytes(let bytes): Digest128.hexadecimal(of: bytes)
            case .unreadable(let reason): Digest128.hexadecimal(of: ["unreadable", reason])
            }
    }
}

/// An entry of the directory that is not read, and why. A file that has the name of a definition file but cannot be
/// read is not ignored: it is a ``SourceFile`` with a reason.
public struct IgnoredEntry: Sendable, Hashable {
    /// Why an entry is not read.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// The name begins with `.` or `#`: hidden files, `.git`, locks and swap files of editors.
        case hidden
        /// The name ends with `~`.
        case backup
        /// The name does not end with `.yaml`, `.yml` or `.json`.
        case suffix
        /// The name ends with `.schema.json`: a JSON Schema for editors.
        case schema
        /// A directory below the deepest level that is read.
        case depth
        /// A directory beyond the largest number that is read.
        case count
        /// A link to a directory that is read by another path.
        case repeated

        /// A phrase to follow "`path` is ignored: ", without a full stop.
        public var text: String {
            switch self {
            case .hidden: "its name begins like that of a hidden file"
            case .backup: "its name ends like that of a backup"
            case .suffix: "its name does not end with .yaml, .yml or .json"
            case .schema: "it is a JSON Schema by its name, not a definition file"
            case .depth: "it is too deep below the directory"
            case .count: "there are too many directories"
            case .repeated: "it is a link to a directory that is read by another path"
            }
        }
    }

    /// The path below the root, escaped as in ``SourceFile``.
    public var path: String
    /// Why it is not read.
    public var reason: Reason

    /// An entry with that reason.
    public init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

/// The ignored entries of a directory: the first ones, and their number.
public struct IgnoredEntries: Sendable, Equatable {
    /// The most entries that are listed.
    public static let limit = 100

    /// The entries, by directory and then by name.
    public var entries: [IgnoredEntry]
    /// The number of ignored entries, including those that are not listed.
    public var total: Int

    /// The first entries, and the number of all.
    public init(_ entries: [IgnoredEntry] = [], total: Int = 0) {
        self.entries = entries
        self.total = total
    }
}
