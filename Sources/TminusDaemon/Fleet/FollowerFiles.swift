internal import Logging
internal import TminusCore
internal import TminusDefinitions
internal import TminusTooling
internal import TminusWatch

/// The definition files of a machine that stands by. They are not in force, so only their hash is kept: with it the leader can say
/// whether they differ from its own.
struct FollowerFiles {
    let definitions: ConfigDirectory
    let logger: Logger

    /// Calls `tell` with the hash of the files, now and after each change, until the task is cancelled. A directory that cannot be read
    /// has the hash of an empty one, so that the leader tells of it.
    func run(_ tell: @escaping @Sendable (String) async -> Void) async {
        let watcher = DirectoryWatcher(
            root: definitions.path,
            options: WatchOptions(
                sizeLimit: definitions.maxFileSize,
                allowsInsecurePermissions: definitions.allowsInsecurePermissions),
            logger: logger.quiet)
        await withDiscardingTaskGroup { group in
            group.addTask { await watcher.run() }
            group.addTask { for await contents in watcher.contents { await tell(contents.hash) } }
        }
    }
}
