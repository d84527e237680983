package import TminusControl
internal import TminusCore

extension [Item] {
    /// The items by group, sorted by due time within each group, ties by id.
    package var inGroups: [(group: Item.Group, items: [Item])] {
        numbersInGroups.map { group, numbers in (group, numbers.map { self[$0] }) }
    }

    /// The same order as indices. An item is large; sorting indices avoids copying thousands of items.
    package var numbersInGroups: [(group: Item.Group, numbers: [Int])] {
        let dues = map { $0.due ?? .distantFuture }
        let groups = map(\.group)
        return Item.Group.allCases.compactMap { group in
            let numbers = indices.filter { groups[$0] == group }
            guard !numbers.isEmpty else { return nil }
            let sorted = numbers.sorted {
                dues[$0] == dues[$1] ? self[$0].id < self[$1].id : dues[$0] < dues[$1]
            }
            return (group, sorted)
        }
    }
}
