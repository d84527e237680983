/// The last good content of one definition file.
public struct KeptFile: Sendable, Hashable {
    /// The path below the root.
    public var path: String
    /// The bytes.
    public var content: [UInt8]
    /// Identifies the bytes, as ``SourceFile/digest`` does.
    public var digest: String

    /// The content of a file.
    public init(path: String, content: [UInt8]) {
        self.path = path
        self.content = content
        digest = Digest128.hexadecimal(of: content)
    }

    /// A content as it was stored with its digest; nil if the two do not belong together any more.
    public init?(path: String, content: [UInt8], digest: String) {
        self.init(path: path, content: content)
        guard self.digest == digest else { return nil }
    }

    /// The content of a file that was read: its digest is known.
    package init?(_ file: SourceFile) {
        guard case .bytes(let bytes) = file.content else { return nil }
        path = file.path
        content = bytes
        digest = file.digest
    }
}

/// What a store keeps of a directory, so that a start while a file is broken goes on with what was in force.
public struct KeptFiles: Sendable, Equatable {
    /// In the order of their paths.
    public var files: [KeptFile]
    /// The named sinks that were in force last: a file may name one that no file declares any more.
    public var sinks: [SinkSpec]

    /// What is kept of a directory.
    public init(files: [KeptFile] = [], sinks: [SinkSpec] = []) {
        self.files = files
        self.sinks = sinks
    }
}
