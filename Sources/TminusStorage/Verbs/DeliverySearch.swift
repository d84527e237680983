import TminusCore

/// Finds deliveries by their ids. Only deliveries that ended undelivered have an index of ids: users look for few
/// others, and an index of hashes would write to another page for each delivery.
struct DeliverySearch: Sendable {
    /// The number of rows that are read between two checks of the time.
    private static let page = 1_000

    /// The numbers of the deliveries found so far.
    private(set) var numbers: [Int64] = []
    private var left: Set<String>
    /// All rows from this number on have been searched; nil before the first step.
    private var end: Int64?

    /// A search for the given ids.
    init(_ ids: [DeliveryID]) { left = Set(ids.map(\.rawValue)) }

    /// Continues the search, newest first. Returns false when everything is found or searched.
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
        repeat {
            guard !left.isEmpty else { return false }
            var count = 0
            try transaction.forEach(RecordStatements.page, end ?? .max, Self.page) { row in
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
