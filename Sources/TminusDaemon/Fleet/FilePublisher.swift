internal import Logging
internal import Synchronization
internal import TminusCore
internal import TminusDefinitions

/// Has the database know which definition files are in force, and asks it at the start. A change is published before it is in force. Else the
/// next leader could take older files for those in force.
final class FilePublisher: Sendable {
    /// How long after a refusal the loader tries again.
    static let pause = Duration.seconds(1)

    private let store: any FleetStore
    /// Whether the files of this machine count as they are, also if they are behind.
    private let usesOwnFiles: Bool
    private let logger: Logger
    private let isBusy = Mutex(false)
    private let refusal = Mutex<StoreError?>(nil)

    /// A publisher of a daemon that leads.
    init(_ store: any FleetStore, usesOwnFiles: Bool, logger: Logger) {
        (self.store, self.usesOwnFiles, self.logger) = (store, usesOwnFiles, logger)
    }

    /// Whether the loader waits for an answer of the database.
    var isWaiting: Bool { isBusy.withLock(\.self) }

    /// Lets a loader remember the files in force. Returns false if the store refused.
    func recall(_ root: String, into loader: inout DefinitionLoader, now: Timestamp) async -> Bool {
        let published = await answer("cannot learn which definition files are in force: loads them later") {
            [store] () async throws(StoreError) in try await store.publishedFiles(root: root, now: now)
        }
        guard let published else { return false }
        if usesOwnFiles { loader.remember(published.kept) } else { loader.remember(published) }
        return true
    }

    /// Publishes a change. Returns false if the store refused.
    func publish(_ change: PublishedChange, now: Timestamp) async -> Bool {
        await answer("cannot write which definition files are in force: edits wait") {
            [store] () async throws(StoreError) in try await store.publish(change, now: now)
        } != nil
    }

    /// The answer to a verb; nil if the store refused, which is logged once.
    private func answer<Value: Sendable>(
        _ problem: String, _ verb: () async throws(StoreError) -> Value
    ) async -> Value? {
        isBusy.withLock { $0 = true }
        defer { isBusy.withLock { $0 = false } }
        do throws(StoreError) {
            let value = try await verb()
            let was = refusal.withLock { refusal in
                defer { refusal = nil }
                return refusal
            }
            if was != nil { logger.notice("definition files are read and written in the database again") }
            return value
        } catch {
            let isNew = refusal.withLock { refusal in
                defer { refusal = error }
                return refusal != error
            }
            if isNew { logger.error("\(problem)", metadata: ["error": "\(error)"]) }
            return nil
        }
    }
}
