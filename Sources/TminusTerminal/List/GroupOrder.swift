package import TminusControl
internal import TminusCore

extension [Item] {
    /// Under their heads, and under each by what comes first; ties by id.
    package var inGroups: [(group: Item.Group, items: [Item])] {
        Item.Group.allCases.compactMap { group in
            let items = filter { $0.group == group }.sorted {
                ($0.due ?? .distantFuture, $0.id) < ($1.due ?? .distantFuture, $1.id)
            }
            return items.isEmpty ? nil : (group, items)
        }
    }
}
