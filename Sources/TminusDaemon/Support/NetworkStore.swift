internal import TminusSystem

/// A SQLite store on another machine. SQLite needs locks and shared memory, which network file systems lack
/// (sqlite.org/faq.html#q5).
enum NetworkStore {
    /// Throws if the store at an absolute path is, or would be made, on a network file system.
    static func refuse(_ path: String) throws(DaemonError) {
        let mounts = MountTable.ofProcess
        var directory = ParentDirectory.of(path)
        var type = mounts.networkType(of: directory)
        if type == nil {
            // A directory that is yet to be made will be on the file system of the nearest one that exists.
            while directory != "/", !Permissions.exists(directory) { directory = ParentDirectory.of(directory) }
            type = mounts.networkType(of: MachinePaths.absolute(directory))
        }
        // Sandboxes show the disk of their machine as 9p.
        guard let type, type != "9p" else { return }
        throw DaemonError(
            .usage,
            "\(path): is on a network file system (\(type)), where SQLite can damage the store; "
                + "name a directory on a local disk with --state, or a file there with --store")
    }
}
