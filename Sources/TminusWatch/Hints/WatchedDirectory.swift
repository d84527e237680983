import TminusSystem

#if Inotify
    /// A directory with an inotify watch, and what its events mean.
    struct WatchedDirectory {
        /// The path that the watch was added with.
        var path: RawPath
        /// Identifies the directory.
        var identity: FileIdentity
        /// Its path below the root, if it belongs to the tree.
        var treePath: RawPath?
        /// Entries on the path to the root, whose creation or removal affects the root itself.
        var steps: Set<[UInt8]> = []
        /// Files that links in the tree lead to: the name of each, and the paths of the links below the root.
        var targets: [[UInt8]: Set<RawPath>] = [:]
    }
#endif
