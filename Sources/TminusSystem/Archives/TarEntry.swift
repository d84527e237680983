/// A member of a tar archive.
package struct TarEntry: Sendable, Hashable {
    /// What it is.
    package enum Kind: Sendable, Hashable {
        /// A regular file of this many bytes.
        case file(size: Int)
        case directory
        /// A symbolic link.
        case link(to: String)
    }

    /// The path in the archive, without a slash at its end.
    package var path: String
    /// What it is.
    package var kind: Kind
    /// The permission bits.
    package var mode: UInt32
    /// The time of the last change, in seconds since the Unix epoch.
    package var modified: Int

    /// A member with all its fields.
    package init(path: String, kind: Kind, mode: UInt32, modified: Int) {
        self.path = path
        self.kind = kind
        self.mode = mode
        self.modified = modified
    }
}

/// Why an archive cannot be read.
package struct TarProblem: Error, Sendable, Hashable {
    /// The problem, as a phrase that follows the name of the archive.
    package var text: String

    /// A problem in these words.
    package init(text: String) {
        self.text = text
    }
}
