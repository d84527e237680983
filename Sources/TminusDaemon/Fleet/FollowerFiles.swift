internal import Logging
internal import TminusCore
internal import TminusDefinitions
internal import TminusSystem
internal import TminusTooling
internal import TminusWatch

/// The definition files of a machine that stands by. They are not in force, so only their hash is kept: with it the leader can say
/// whether they differ from its own.
struct FollowerFiles {
    let definitions: ConfigDirectory
    let sinks: SinkRegistry
    let logger: Logger

    /// Calls `tell` with the hash of the files, now and after each change, until the task is cancelled.
    func run(_ tell: @escaping @Sendable (String) async -> Void) async {
        let watcher = DirectoryWatcher(
            root: definitions.path,
            options: WatchOptions(
                sizeLimit: definitions.maxFileSize,
                allowsInsecurePermissions: definitions.allowsInsecurePermissions),
            logger: logger.quiet)
        let (definitions, sinks) = (definitions, sinks)
        await withDiscardingTaskGroup { group in
            group.addTask { await watcher.run() }
            group.addTask {
                for await contents in watcher.contents where !contents.hasFailed {
                    // Made anew each time: it would keep all definitions.
                    var loader = DefinitionLoader(
                        zones: SystemZoneDatabase(), sinks: sinks, displayRoot: definitions.shown)
                    await tell(loader.load(contents, now: .distantPast).hash)
                }
            }
        }
    }
}

extension DirectoryContents {
    /// Whether the directory could not be read. Then it is unknown which files it has.
    fileprivate var hasFailed: Bool { files.isEmpty && problems.contains { $0.severity == .error } }
}
