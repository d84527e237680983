import TminusSystem

#if Inotify
    /// A directory with an inotify watch, and what its events mean.
    struct WatchedDirectory {
        /// The path that the watch was made with.
        var path: RawPath
        /// Which directory.
        var identity: FileIdentity
        /// Its path below the root, if it belongs to the tree.
        var treePath: RawPath?
        /// Entries whose coming and going concerns the root itself: the next step on the way to it.
        var steps: Set<[UInt8]> = []
        /// Files that links in the tree lead to: by name, the paths of the links below the root.
        var targets: [[UInt8]: Set<RawPath>] = [:]
    }
#endif
