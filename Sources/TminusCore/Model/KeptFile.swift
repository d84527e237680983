/// The last good content of one definition file.
public struct KeptFile: Sendable, Hashable {
    /// The path below the root.
    public var path: String
    /// The bytes.
    public var content: [UInt8]
    /// Identifies the bytes, like ``SourceFile/digest``.
    public var digest: String

    /// The content of a file.
    public init(path: String, content: [UInt8]) {
        self.path = path
        self.content = content
        digest = Digest128.hexadecimal(of: content)
    }

    /// A stored content with its digest; nil if the digest does not match.
    public init?(path: String, content: [UInt8], digest: String) {
        self.init(path: path, content: content)
        guard self.digest == digest else { return nil }
    }

    /// The content of a file that was read, whose digest is known; nil if it could not be read.
    package init?(_ file: SourceFile) {
        guard case .bytes(let bytes) = file.content else { return nil }
        path = file.path
        content = bytes
        digest = file.digest
    }
}

/// The contents that a store keeps of a directory, so that a start with a broken file uses the last good content.
public struct KeptFiles: Sendable, Equatable {
    /// In place of the directory, for the files of a fleet: each of its machines may have them elsewhere.
    package static let fleetRoot = ""

    /// The files, ordered by path.
    public var files: [KeptFile]
    /// The named sinks that were last in force, because a file may use one that no file declares any more.
    public var sinks: [SinkSpec]

    /// The kept contents of a directory.
    public init(files: [KeptFile] = [], sinks: [SinkSpec] = []) {
        self.files = files
        self.sinks = sinks
    }
}
