internal import Logging
internal import TminusCore
internal import TminusDefinitions
internal import TminusTooling
internal import TminusWatch

/// The definition files of a machine that stands by. They are not in force, so only their digests are kept: with these the leader can say
/// whether they differ from its own, and the database knows which of them the machine had.
struct FollowerFiles {
    let definitions: ConfigDirectory
    let logger: Logger

    /// Calls `tell` with the hash of the files and the digest of each, now and after each change, until the task is cancelled. A directory
    /// that cannot be read has the hash of an empty one, so that the leader tells of it. If something cannot be read, there are no digests.
    func run(_ tell: @escaping @Sendable (String, [String: String]?) async -> Void) async {
        let watcher = DirectoryWatcher(
            root: definitions.path,
            options: WatchOptions(
                sizeLimit: definitions.maxFileSize,
                allowsInsecurePermissions: definitions.allowsInsecurePermissions),
            logger: logger.quiet)
        await withDiscardingTaskGroup { group in
            group.addTask { await watcher.run() }
            group.addTask { for await contents in watcher.contents { await tell(contents.hash, contents.digests) } }
        }
    }
}

extension DirectoryContents {
    /// The digests of the files, by path; nil if something could not be read.
    fileprivate var digests: [String: String]? {
        var digests: [String: String] = [:]
        for file in files {
            if case .unreadable = file.content { return nil }
            digests[file.path] = file.digest
        }
        return problems.contains { $0.severity == .error } ? nil : digests
    }
}
