import TminusCore

/// Limits the time of one transaction of a pruning or a search, so that claims and settlements get their turn between
/// two of them.
package struct PruneBudget: Sendable {
    /// The number of rows that are read between two checks of the time.
    static let page = 100
    /// Including the page that exceeds it, a transaction stays well below 50 ms.
    package static let standard = Duration.milliseconds(20)

    private let end: ContinuousClock.Instant

    /// A budget of the given time from now on. Even if it is zero, one page is processed.
    init(_ time: Duration) { end = .now + time }

    /// Whether the transaction should end.
    var isSpent: Bool { ContinuousClock.now >= end }
}

/// The position of a pruning among the old firings.
struct PruneCursor: Sendable {
    private var created = Int64.min
    private var id = Int64.min

    /// Removes ended firings page by page. Returns false when nothing is left.
    mutating func step(_ transaction: Transaction, before: Timestamp, _ budget: PruneBudget) throws -> Bool {
        repeat {
            var over: [Int64] = []
            var count = 0
            let (after, last) = (created, id)
            try transaction.forEach(FiringStatements.oldPage, before, before, after, last, PruneBudget.page) { row in
                id = try row.number(0)
                created = try row.number(1)
                if try row.number(2) == 1 { over.append(id) }
                count += 1
            }
            try transaction.delete(over)
            if count < PruneBudget.page { return false }
        } while !budget.isSpent
        return true
    }
}

/// The position of the pruning that leaves each definition only its newest firings.
struct SurplusCursor: Sendable {
    private var definition: String?
    private var isBegun = false
    /// The newest occurrence of that definition that exceeds the limit, and the position among its older ones.
    private var oldest: Int64?
    private var occurrence = Int64.min
    private var action = ""

    /// Removes surplus firings page by page. Returns false when nothing is left.
    mutating func step(_ transaction: Transaction, keeping limit: Int, _ budget: PruneBudget) throws -> Bool {
        if !isBegun {
            isBegun = true
            definition = try transaction.text(FiringStatements.firstDefinition)
            try open(transaction, keeping: limit)
        }
        while let current = definition {
            if try oldest.map({ try page(transaction, of: current, upTo: $0) }) != true {
                definition = try transaction.text(FiringStatements.nextDefinition, current)
                try open(transaction, keeping: limit)
            }
            if budget.isSpent { break }
        }
        return definition != nil
    }

    private mutating func open(_ transaction: Transaction, keeping limit: Int) throws {
        (occurrence, action) = (.min, "")
        oldest = try definition.flatMap {
            try transaction.number(FiringStatements.surplusFrom, $0, limit)
        }
    }

    /// Removes the ended firings on the next page of a definition. Returns false at the last page.
    private mutating func page(_ transaction: Transaction, of definition: String, upTo oldest: Int64) throws -> Bool {
        var over: [Int64] = []
        var count = 0
        let page = PruneBudget.page
        try transaction.forEach(FiringStatements.surplusPage, definition, oldest, occurrence, action, page) { row in
            occurrence = try row.number(1)
            action = try row.text(2)
            if try row.number(3) == 1 { over.append(try row.number(0)) }
            count += 1
        }
        try transaction.delete(over)
        return count == PruneBudget.page
    }
}

extension Transaction {
    /// Removes firings with all their rows in other tables.
    fileprivate func delete(_ firings: [Int64]) throws {
        for firing in firings {
            try post(AttemptStatements.deleteOfFiring, firing)
            try post(RecordStatements.deleteOfFiring, firing)
            try post(FiringStatements.delete, firing)
        }
    }

    /// Removes schedules past their retention and unused sinks, which are few.
    func pruneSchedulesAndSinks(removedBefore: Timestamp) throws {
        try post(ScheduleStatements.prune, removedBefore)
        try post(SinkStatements.prune)
    }

    /// Removes old controls, which are few.
    func pruneControls(before: Timestamp) throws { try post(ControlStatements.prune, before) }

    /// Removes a page of old omissions. Returns false if there was less than a page.
    func pruneOmissions(before: Timestamp) throws -> Bool {
        try run(FiringStatements.pruneOmissions, before, PruneBudget.page) == PruneBudget.page
    }
}
