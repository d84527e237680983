import GRDB
import TminusCore

/// Where a pruning has come to among the old firings; each page is a transaction of its own, so that claims and
/// settlements get their turn in between.
struct PruneCursor: Sendable {
    /// How many firings a page looks at.
    static let page = 500

    private var created = Int64.min
    private var id = Int64.min

    /// Removes what is over on the next page; false when there was none.
    mutating func step(_ transaction: Transaction, before: Timestamp) throws -> Bool {
        var over: [Int64] = []
        var count = 0
        let limit = before.nanoseconds
        try transaction.forEach(FiringStatements.oldPage, [limit, limit, created, id, Self.page]) { row in
            id = try row.value(0)
            created = try row.value(1)
            if try row.value(2) { over.append(id) }
            count += 1
        }
        try transaction.delete(over)
        return count == Self.page
    }
}

/// Where a pruning has come to that leaves each definition its newest firings.
struct SurplusCursor: Sendable {
    /// How many definitions are looked at in one transaction.
    static let definitions = 200

    private var definition: String?
    private var isBegun = false

    /// Removes a page of what is too much; false when there is nothing left.
    mutating func step(_ transaction: Transaction, keeping limit: Int) throws -> Bool {
        for _ in 0..<Self.definitions {
            guard let current = try isBegun ? definition : first(transaction) else { return false }
            if let oldest = try transaction.value(Int64.self, FiringStatements.surplusFrom, [current, limit]) {
                var over: [Int64] = []
                try transaction.forEach(FiringStatements.surplus, [current, oldest, PruneCursor.page]) { row in
                    over.append(try row.value(0))
                }
                try transaction.delete(over)
                // The same definition again, in another transaction.
                if over.count == PruneCursor.page { return true }
            }
            definition = try transaction.value(String.self, FiringStatements.nextDefinition, [current])
        }
        return definition != nil
    }

    private mutating func first(_ transaction: Transaction) throws -> String? {
        isBegun = true
        definition = try transaction.value(String.self, FiringStatements.firstDefinition)
        return definition
    }
}

extension Transaction {
    /// Removes firings with all that belongs to them.
    fileprivate func delete(_ firings: [Int64]) throws {
        for firing in firings {
            try run(AttemptStatements.deleteOfFiring, [firing])
            try run(DeliveryStatements.deleteOfFiring, [firing])
            try run(FiringStatements.delete, [firing])
        }
    }

    /// Removes what is few: schedules past their retention, and sinks that nothing refers to.
    func pruneSchedulesAndSinks(removedBefore: Timestamp) throws {
        try run(ScheduleStatements.prune, [removedBefore.nanoseconds])
        try run(SinkStatements.prune)
    }

    /// Removes a page of old omissions; false when there was less than a page.
    func pruneOmissions(before: Timestamp) throws -> Bool {
        try run(FiringStatements.pruneOmissions, [before.nanoseconds, PruneCursor.page]) == PruneCursor.page
    }
}
