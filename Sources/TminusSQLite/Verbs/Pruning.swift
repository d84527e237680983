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
        for firing in over {
            try transaction.run(DeliveryStatements.deleteOfFiring, [firing])
            try transaction.run(FiringStatements.delete, [firing])
        }
        return count == Self.page
    }
}

extension Transaction {
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
