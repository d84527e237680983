/// What happened to a definition file, as far as a notification tells.
enum FileEvent: Sendable, Hashable {
    /// It appeared without content: its writer has just begun.
    case createdEmpty
    /// It appeared with content, as by a hard link.
    case created
    /// Content was written; more may follow.
    case modified
    /// A writer closed it.
    case closed
    /// It was renamed to this name: complete by definition.
    case arrived
    /// It was removed, or renamed to another name.
    case vanished
    /// Its permissions, owner or times were set.
    case attributes
}

/// How a file differs from what is in force.
struct FileChange: Sendable, Hashable {
    /// What kind of difference.
    enum Kind: Sendable, Hashable {
        /// New or other content.
        case present(FileStamp)
        /// Gone, emptied or no longer a file, which may be one half of a save.
        case lost
        /// Whatever it is, nothing is gained by waiting.
        case settled
    }

    /// The path below the root.
    var path: RawPath
    /// What kind of difference.
    var kind: Kind
    /// How long ago its content was written, by the wall clock; negative for times in the future.
    var age: Duration = .zero
}
