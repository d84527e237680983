internal import TminusCore

extension [Item] {
    /// The items, the next due first; ties by id.
    package func sortedByDue() -> [Item] {
        // Sort indices: an item is large, and sorting moves elements often.
        var order = enumerated().map { (due: $1.due ?? .distantFuture, number: $0) }
        order.sort { $0.due == $1.due ? self[$0.number].id < self[$1.number].id : $0.due < $1.due }
        return order.map { self[$0.number] }
    }
}
