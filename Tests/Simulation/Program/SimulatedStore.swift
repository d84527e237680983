import TminusCore
import TminusSQLite
import TminusStorage
import TminusTestKit

/// The store of a run.
enum StoreKind: String, Sendable, CaseIterable {
    /// The model.
    case memory
    /// SQLite on a disk that forgets what was not synchronized when its power is cut.
    case sqlite
    /// The statements that SQLite and PostgreSQL share, in a database that outlives its machines: one leads, others deliver beside it.
    case fleet
}

/// A store that can refuse, leave the outcome of a commit open, and lose its process at any moment.
struct SimulatedStore {
    /// What survives the process.
    private(set) var stored: any Store
    /// Of a SQLite store.
    private var files: StoreFiles?
    var mood = StoreMood.works
    /// What a process does not know of its last commit.
    private struct Doubt {
        /// The commit that was written, and whose answer was lost. Only the equal one may follow.
        var unanswered: (commit: Commit, result: Result<Committed, StoreError>)?
        /// The last answer was uncertain, and this was the commit.
        var uncertain: Commit?
    }

    private let kind: StoreKind
    /// By process.
    private var doubts: [Int: Doubt] = [:]
    /// The processes that deliver beside the leader, as far as the store knows.
    var followers: Set<Int> = []
    /// The processes that cannot reach it.
    var unreachable: Set<Int> = []
    /// What breaks the contract of the store.
    private(set) var breach: String?

    init(_ kind: StoreKind) throws {
        self.kind = kind
        switch kind {
        case .memory: stored = MemoryStore()
        case .sqlite, .fleet:
            let files = try StoreFiles()
            (self.files, stored) = (files, files.store)
        }
    }

    private static let full = StoreError(.full, "the disk is full")
    private static let lost = StoreError(.uncertain, "the connection was lost")

    /// Whether verbs other than a commit work.
    var isUsable: Bool { mood == .works || mood == .slow }

    /// Performs a commit of a process. `isWritten` says what is true of it if nobody is to know.
    mutating func commit(
        _ commit: Commit, of run: Int, now: Timestamp, isWritten: Bool, _ sometimes: inout Sometimes
    ) async -> Result<Committed, StoreError> {
        var doubt = doubts[run] ?? Doubt()
        defer { doubts[run] = doubt }
        if let uncertain = doubt.uncertain, uncertain != commit {
            breach = "another commit came before the uncertain one was repeated"
        }
        doubt.uncertain = nil
        switch unreachable.contains(run) ? .refuses : mood {
        case .refuses:
            sometimes.note(.storeRefused)
            // What is uncertain stays so until somebody asks a store that works.
            if doubt.unanswered != nil { doubt.uncertain = commit }
            return .failure(doubt.unanswered == nil ? Self.full : Self.lost)
        case .uncertain:
            doubt.uncertain = commit
            guard isWritten || doubt.unanswered != nil else {
                sometimes.note(.storeUncertainUnwritten)
                return .failure(Self.lost)
            }
            sometimes.note(.storeUncertain)
            if doubt.unanswered == nil { doubt.unanswered = (commit, await write(commit, now)) }
            return .failure(Self.lost)
        case .works, .slow:
            if mood == .slow { sometimes.note(.storeSlow) }
            if let former = doubt.unanswered {
                doubt.unanswered = nil
                if former.commit == commit { return former.result }
            }
            return await write(commit, now)
        }
    }

    /// Performs a commit that the process does not survive: the disk takes so many changes of it. Returns whether there were
    /// more; nil if nothing was done, because a store in memory has no middle of a commit, and one that refuses has none either.
    func cutOff(_ commit: Commit, now: Timestamp, after changes: Int) async -> Bool? {
        guard kind == .sqlite, let files, mood == .works,
            doubts.values.allSatisfy({ $0.unanswered == nil && $0.uncertain == nil })
        else { return nil }
        return await files.stopping(after: changes) { await write(commit, now) }.isCutOff
    }

    /// A process is gone; with a seed, because the power of its machine was cut. Returns how many writes were lost.
    mutating func end(_ run: Int, cutsPower seed: UInt64?) async throws -> Int {
        doubts[run] = nil
        guard kind == .sqlite, var files else { return 0 }
        defer { (self.files, stored) = (files, files.store) }
        if let seed { return try await files.cutPower(seed: seed) }
        try await files.kill()
        return 0
    }

    /// Removes what it keeps on the machine.
    func remove() async { await files?.remove() }

    /// Releases what processes claimed that are gone, for a new leader or for the one that leads.
    @discardableResult
    func releaseFormerClaims(leader: Int, now: Timestamp) async throws(StoreError) -> ReleasedClaims {
        try await release(.ofFormerOwners, leader: leader, now: now)
    }

    /// Releases claims that have expired.
    func releaseExpiredClaims(leader: Int, now: Timestamp) async throws(StoreError) -> ReleasedClaims {
        try await release(.expired, leader: leader, now: now)
    }

    private func release(
        _ which: ClaimRelease, leader: Int, now: Timestamp
    ) async throws(StoreError) -> ReleasedClaims {
        let owner = Machine.owner(leader)
        guard kind == .fleet, let shared = stored as? SQLiteStore else {
            return try await stored.releaseClaims(which, owner: owner, now: now)
        }
        // The last one makes an empty list possible.
        let living = (followers.sorted().map { "SELECT '\(Machine.owner($0))'" } + ["SELECT NULL WHERE 0"])
            .joined(separator: " UNION ALL ")
        return try await shared.write(as: .flushed) { transaction in
            try transaction.release(
                .ofAllBut(living, onlyExpired: which == .expired), owner: owner, now: now)
        }
    }

    /// The expiries that have ended on any machine, and that a schedule waits for.
    func missedExpiries() async throws(StoreError) -> [EndedExpiry] {
        guard let shared = stored as? SQLiteStore else { return [] }
        return try await shared.read { try $0.missedExpiries() }
    }

    private func write(_ commit: Commit, _ now: Timestamp) async -> Result<Committed, StoreError> {
        do throws(StoreError) {
            return .success(try await stored.commit(commit, now: now))
        } catch {
            return .failure(error)
        }
    }
}
