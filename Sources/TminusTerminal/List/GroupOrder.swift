package import TminusControl
internal import TminusCore

extension [Item] {
    /// Under their heads, and under each by what comes first; ties by id.
    package var inGroups: [(group: Item.Group, items: [Item])] {
        // By their numbers: an item is large, and sorting moves it often.
        var numbers: [Item.Group: [Int]] = [:]
        for index in indices { numbers[self[index].group, default: []].append(index) }
        return Item.Group.allCases.compactMap { group in
            guard let found = numbers[group] else { return nil }
            let sorted = found.sorted { left, right in
                let (first, second) = (self[left].due ?? .distantFuture, self[right].due ?? .distantFuture)
                return first == second ? self[left].id < self[right].id : first < second
            }
            return (group, sorted.map { self[$0] })
        }
    }
}
