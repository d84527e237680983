import TminusCore
import TminusTestKit

/// The store of a run.
enum StoreKind: String, Sendable, CaseIterable {
    /// The model.
    case memory
    /// SQLite on a disk that forgets what was not synchronized when its power is cut.
    case sqlite
}

/// A store that can refuse, leave the outcome of a commit open, and lose its process at any moment.
struct SimulatedStore {
    /// What survives the process.
    private(set) var stored: any Store
    /// Of a SQLite store.
    private var files: StoreFiles?
    var mood = StoreMood.works
    /// The commit that was written, and whose answer was lost. Only the equal one may follow.
    private var unanswered: (commit: Commit, result: Result<Committed, StoreError>)?
    /// The last answer was uncertain, and this was the commit.
    private var uncertain: Commit?
    /// What breaks the contract of the store.
    private(set) var breach: String?

    init(_ kind: StoreKind) throws {
        switch kind {
        case .memory: stored = MemoryStore()
        case .sqlite:
            let files = try StoreFiles()
            (self.files, stored) = (files, files.store)
        }
    }

    private static let full = StoreError(.full, "the disk is full")
    private static let lost = StoreError(.uncertain, "the connection was lost")

    /// Whether verbs other than a commit work.
    var isUsable: Bool { mood == .works || mood == .slow }

    /// Performs a commit. `isWritten` says what is true of it if nobody is to know.
    mutating func commit(
        _ commit: Commit, now: Timestamp, isWritten: Bool, _ sometimes: inout Sometimes
    ) async -> Result<Committed, StoreError> {
        if let uncertain, uncertain != commit { breach = "another commit came before the uncertain one was repeated" }
        uncertain = nil
        switch mood {
        case .refuses:
            sometimes.note(.storeRefused)
            // What is uncertain stays so until somebody asks a store that works.
            if unanswered != nil { uncertain = commit }
            return .failure(unanswered == nil ? Self.full : Self.lost)
        case .uncertain:
            uncertain = commit
            guard isWritten || unanswered != nil else {
                sometimes.note(.storeUncertainUnwritten)
                return .failure(Self.lost)
            }
            sometimes.note(.storeUncertain)
            if unanswered == nil { unanswered = (commit, await write(commit, now)) }
            return .failure(Self.lost)
        case .works, .slow:
            if mood == .slow { sometimes.note(.storeSlow) }
            if let former = unanswered {
                unanswered = nil
                if former.commit == commit { return former.result }
            }
            return await write(commit, now)
        }
    }

    /// Performs a commit that the process does not survive: the disk takes so many changes of it. Returns whether there were
    /// more; nil if nothing was done, because a store in memory has no middle of a commit, and one that refuses has none either.
    func cutOff(_ commit: Commit, now: Timestamp, after changes: Int) async -> Bool? {
        guard let files, mood == .works, unanswered == nil, uncertain == nil else { return nil }
        return await files.stopping(after: changes) { await write(commit, now) }.isCutOff
    }

    /// The process is gone; with a seed, because the power of its machine was cut. Returns how many writes were lost.
    mutating func end(cutsPower seed: UInt64?) async throws -> Int {
        (unanswered, uncertain) = (nil, nil)
        guard var files else { return 0 }
        defer { (self.files, stored) = (files, files.store) }
        if let seed { return try await files.cutPower(seed: seed) }
        try await files.kill()
        return 0
    }

    /// Removes what it keeps on the machine.
    func remove() async { await files?.remove() }

    private func write(_ commit: Commit, _ now: Timestamp) async -> Result<Committed, StoreError> {
        do throws(StoreError) {
            return .success(try await stored.commit(commit, now: now))
        } catch {
            return .failure(error)
        }
    }
}
