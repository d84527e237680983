import TminusCore

/// How long one transaction of a pruning or a search goes on: claims and settlements get their turn between two of them.
struct PruneBudget: Sendable {
    /// How many rows are looked at before the time is.
    static let page = 100
    /// With the page that follows its end, a transaction stays well under 50 ms.
    static let standard = Duration.milliseconds(20)

    private let end: ContinuousClock.Instant

    /// A budget of so much time from now on. With none of it left one page is dealt with all the same.
    init(_ time: Duration) { end = .now + time }

    /// Whether the transaction is to end.
    var isSpent: Bool { ContinuousClock.now >= end }
}

/// Where a pruning has come to among the old firings.
struct PruneCursor: Sendable {
    private var created = Int64.min
    private var id = Int64.min

    /// Removes what is over, page by page; false when nothing is left to look at.
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

/// Where a pruning has come to that leaves each definition its newest firings.
struct SurplusCursor: Sendable {
    private var definition: String?
    private var isBegun = false
    /// Of that definition: the newest occurrence that is too much, and where among those the pruning has come to.
    private var oldest: Int64?
    private var occurrence = Int64.min
    private var action = ""

    /// Removes what is too much, page by page; false when there is nothing left.
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

    /// Removes what is over on the next page of a definition; false when it was the last.
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
    /// Removes firings with all that belongs to them.
    fileprivate func delete(_ firings: [Int64]) throws {
        for firing in firings {
            try run(AttemptStatements.deleteOfFiring, firing)
            try run(RecordStatements.deleteOfFiring, firing)
            try run(FiringStatements.delete, firing)
        }
    }

    /// Removes what is few: schedules past their retention, and sinks that nothing refers to.
    func pruneSchedulesAndSinks(removedBefore: Timestamp) throws {
        try run(ScheduleStatements.prune, removedBefore)
        try run(SinkStatements.prune)
    }

    /// Removes a page of old omissions; false when there was less than a page.
    func pruneOmissions(before: Timestamp) throws -> Bool {
        try run(FiringStatements.pruneOmissions, before, PruneBudget.page) == PruneBudget.page
    }
}
