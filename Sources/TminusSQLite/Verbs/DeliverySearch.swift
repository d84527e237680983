import TminusCore

/// Finds deliveries by their ids, for which only those that are over and were not delivered have an index: people ask for few, and an
/// index of hashes would cost each delivery a page of its own.
struct DeliverySearch: Sendable {
    /// How many rows are looked at before the time is.
    private static let page = 1_000

    /// What has been found.
    private(set) var numbers: [Int64] = []
    private var left: Set<String>
    /// All from here on have been looked at; nil before the first step.
    private var end: Int64?

    /// A search for these.
    init(_ ids: [DeliveryID]) { left = Set(ids.map(\.rawValue)) }

    /// Looks on, the newest first; false when there is nothing left to look for or at.
    mutating func step(_ transaction: Transaction, _ budget: PruneBudget) throws -> Bool {
        if end == nil {
            for id in left {
                guard let number = try transaction.number(RecordStatements.closedNumber, id) else {
                    continue
                }
                numbers.append(number)
                left.remove(id)
            }
        }
        let page = try QuickStatement(RecordStatements.page, transaction)
        repeat {
            guard !left.isEmpty else { return false }
            var count = 0
            page.bind(end ?? .max, Self.page)
            try page.each { row in
                let number = try row.number(0)
                if left.remove(try row.text(1)) != nil { numbers.append(number) }
                end = number
                count += 1
            }
            if count < Self.page { return false }
        } while !budget.isSpent
        return !left.isEmpty
    }
}
