internal import Logging
internal import Synchronization
internal import TminusCore
internal import TminusDefinitions

/// Has the database know which definition files are in force, and asks it at the start. Nothing comes into force without: the leader of the
/// next moment would take older files for those in force. So both are tried until they succeed.
final class FilePublisher: Sendable {
    private let store: any FleetStore
    /// Whether the files of this machine count as they are, also if they are behind.
    private let usesOwnFiles: Bool
    private let logger: Logger
    private let isBusy = Mutex(false)

    /// A publisher of a daemon that leads.
    init(_ store: any FleetStore, usesOwnFiles: Bool, logger: Logger) {
        (self.store, self.usesOwnFiles, self.logger) = (store, usesOwnFiles, logger)
    }

    /// Whether somebody waits for the database.
    var isWaiting: Bool { isBusy.withLock(\.self) }

    /// Lets a loader remember the files in force. Returns false if the task was cancelled before.
    func recall(_ root: String, into loader: inout DefinitionLoader, now: Timestamp) async -> Bool {
        let published = await untilDone("cannot learn which definition files are in force") {
            [store] () async throws(StoreError) in try await store.publishedFiles(root: root, now: now)
        }
        guard let published else { return false }
        if usesOwnFiles { loader.remember(published.kept) } else { loader.remember(published) }
        return true
    }

    /// Publishes a change. Returns false if the task was cancelled before.
    func publish(_ change: PublishedChange, now: Timestamp) async -> Bool {
        await untilDone("cannot write which definition files are in force: edits wait") {
            [store] () async throws(StoreError) in try await store.publish(change, now: now)
        } != nil
    }

    private func untilDone<Value: Sendable>(
        _ problem: String, _ verb: () async throws(StoreError) -> Value
    ) async -> Value? {
        isBusy.withLock { $0 = true }
        defer { isBusy.withLock { $0 = false } }
        var last: StoreError?
        while !Task.isCancelled {
            do throws(StoreError) {
                return try await verb()
            } catch {
                if error != last { logger.error("\(problem)", metadata: ["error": "\(error)"]) }
                last = error
            }
            try? await Task.sleep(for: .seconds(1), clock: .continuous)
        }
        return nil
    }
}
