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

    /// The content of a directory.
    public init(root: String, files: [SourceFile] = [], problems: [Diagnostic] = []) {
        self.root = root
        self.files = files
        self.problems = problems
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
