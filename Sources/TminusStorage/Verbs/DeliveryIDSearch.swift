import TminusCore

/// Finds the ids that begin with given digits. Reads all rows, as ``DeliverySearch`` does: delivered ones have no index
/// of ids.
struct DeliveryIDSearch: Sendable {
    /// The number of rows that are read between two checks of the time.
    private static let page = 1_000

    /// The ids found so far, newest first.
    private(set) var ids: [DeliveryID] = []
    private let digits: String
    private let limit: Int
    /// All rows from this number on have been searched.
    private var end = Int64.max

    /// A search for ids that begin with the given digits.
    init(beginningWith digits: String, limit: Int) {
        self.digits = digits
        self.limit = limit
    }

    /// Continues the search, newest first. Returns false when enough is found or everything is searched.
    mutating func step(_ transaction: Transaction, _ budget: PruneBudget) throws -> Bool {
        repeat {
            var count = 0
            try transaction.forEach(RecordStatements.page, end, Self.page) { row in
                end = try row.number(0)
                count += 1
                let text = try row.text(1)
                if ids.count < limit, text.hasPrefix(digits), let id = DeliveryID(text) { ids.append(id) }
            }
            if count < Self.page || ids.count >= limit { return false }
        } while !budget.isSpent
        return true
    }
}
