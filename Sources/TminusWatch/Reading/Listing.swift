import TminusCore
import TminusSystem

/// What one walk over a directory tree saw.
struct Listing: Sendable {
    /// Definition files by their path below the root.
    var files: [RawPath: Observation] = [:]
    /// Files that are symbolic links, by their path below the root.
    var links: [RawPath] = []
    /// The directories that were read, with their path below the root; the root's is empty.
    var directories: [FileIdentity: RawPath] = [:]
    /// Directories that exist and could not be read, by their path below the root, and why.
    var unreadable: [RawPath: String] = [:]
    /// What is wrong with directories.
    var problems: [Diagnostic] = []
    /// What is not read because of its name or place.
    var ignored = IgnoredEntries()
    /// Whether a root directory is there.
    var hasRoot = true
}

extension Listing {
    /// One directory of each file system in the tree, the root's always among them.
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
    /// How many directories are read, the root among them.
    var directories = 1_024
}
