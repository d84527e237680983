/// An event of a definition file, as notifications report it.
enum FileEvent: Sendable, Hashable {
    /// It was created without content; its writer has just begun.
    case createdEmpty
    /// It was created with content, for example by a hard link.
    case created
    /// Content was written; more may follow.
    case modified
    /// A writer closed it.
    case closed
    /// It was renamed to this name, so it is complete.
    case arrived
    /// It was removed, or renamed to another name.
    case vanished
    /// Its permissions, owner or times were set.
    case attributes
}

/// A difference between a file and the content in force.
struct FileChange: Sendable, Hashable {
    /// What kind of difference.
    enum Kind: Sendable, Hashable {
        /// New or other content.
        case present(FileStamp)
        /// Missing, emptied or no longer a file, which may be the first half of a save.
        case lost
        /// Another difference; waiting would not help.
        case immediate
    }

    /// The path below the root.
    var path: RawPath
    /// What kind of difference.
    var kind: Kind
    /// The age of its content by the wall clock; negative for times in the future.
    var age: Duration = .zero
}
