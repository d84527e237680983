/// Where definition files come from. Every value is the whole truth; there are no differences to apply.
public protocol DefinitionSource: Sendable {
    /// The directory's content, now and after every settled change.
    ///
    /// A value that was not taken is replaced by the next one.
    var contents: AsyncStream<DirectoryContents> { get }

    /// Asks for the directory to be read again without waiting for it to settle.
    func reload()
}

/// The definition files of a directory at one moment.
public struct DirectoryContents: Sendable, Equatable {
    /// The absolute path of the directory.
    public var root: String
    /// In the order of their paths.
    public var files: [SourceFile]
    /// What is wrong with the directory itself: missing, unreadable, too deep.
    public var problems: [Diagnostic]
    /// What was not read because of its name or place when this value was made. Changes of that alone make no new value.
    public var ignored: IgnoredEntries

    /// The content of a directory.
    public init(
        root: String, files: [SourceFile] = [], problems: [Diagnostic] = [], ignored: IgnoredEntries = IgnoredEntries()
    ) {
        self.root = root
        self.files = files
        self.problems = problems
        self.ignored = ignored
    }
}

/// One definition file.
public struct SourceFile: Sendable, Equatable {
    /// What was found in it.
    public enum Content: Sendable, Equatable {
        /// Its bytes, read whole while nobody wrote.
        case bytes([UInt8])
        /// Not readable now: its last good content stays in force.
        case unreadable(reason: String)
    }

    /// The path below the root, with bytes that are not UTF-8 escaped: for people, and to tell files apart.
    public var path: String
    /// What was found in it.
    public var content: Content
    /// Identifies the content; files with the same digest need not be parsed again.
    public var digest: String

    /// A file with that content.
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

/// An entry of the directory that is not read, and why. What is named like a definition file and cannot be read is not
/// among these: it is a ``SourceFile`` with a reason.
public struct IgnoredEntry: Sendable, Hashable {
    /// Why it is not read.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// The name begins with `.` or `#`: hidden files, `.git`, locks and swap files of editors.
        case hidden
        /// The name ends with `~`.
        case backup
        /// The name does not end with `.yaml`, `.yml` or `.json`.
        case suffix
        /// A directory below the deepest level that is read.
        case depth
        /// A directory beyond the greatest number of them that is read.
        case count
        /// A link to a directory that is read by another path.
        case repeated

        /// A phrase that follows "`path` is ignored: ", without a full stop.
        public var text: String {
            switch self {
            case .hidden: "its name begins like that of a hidden file"
            case .backup: "its name ends like that of a backup"
            case .suffix: "its name does not end with .yaml, .yml or .json"
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

/// What is ignored in a directory: the first of them, and how many there are.
public struct IgnoredEntries: Sendable, Equatable {
    /// At most this many are named.
    public static let limit = 100

    /// Directory by directory, in the order of their names.
    public var entries: [IgnoredEntry]
    /// How many there are, those that are not named among them.
    public var total: Int

    /// These entries of so many.
    public init(_ entries: [IgnoredEntry] = [], total: Int = 0) {
        self.entries = entries
        self.total = total
    }
}
