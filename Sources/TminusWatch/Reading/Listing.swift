import TminusCore
import TminusSystem

/// The result of one walk over a directory tree.
struct Listing: Sendable {
    /// Definition files by their path below the root.
    var files: [RawPath: Observation] = [:]
    /// Files that are symbolic links, by their path below the root.
    var links: [RawPath] = []
    /// The directories that were read, with their path below the root; the root's is empty.
    var directories: [FileIdentity: RawPath] = [:]
    /// Directories that exist but could not be read, by their path below the root, with the reason.
    var unreadable: [RawPath: String] = [:]
    /// Problems with directories.
    var problems: [Diagnostic] = []
    /// Entries that are not read because of their name or place.
    var ignored = IgnoredEntries()
    /// Whether the root directory exists.
    var hasRoot = true
}

extension Listing {
    /// One directory of each file system in the tree, always with the root.
    var places: [RawPath] {
        var first: [UInt64: RawPath] = [:]
        for (identity, path) in directories {
            first[identity.device] = first[identity.device].map { min($0, path) } ?? path
        }
        return first.isEmpty ? [.empty] : first.values.sorted()
    }
}

/// How far a walk goes.
struct WalkLimits: Sendable, Equatable {
    /// How many levels below the root are read.
    var depth = 8
    /// How many directories are read, including the root.
    var directories = 1_024
}
