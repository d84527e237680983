import Testing
import TminusControl
import TminusCore
import TminusTerminal

@Suite struct GroupOrderTests {
    @Test func groupsAreSortedByDueTime() {
        func item(_ id: String, _ state: Item.State, due: Int64?) -> Item {
            Item(
                asOf: Timestamp(seconds: 0), id: id, kind: .event, name: id, state: state,
                due: due.map { Timestamp(seconds: $0) })
        }
        let groups = [
            item("a", .expired, due: 2), item("c", .upcoming, due: nil), item("b", .upcoming, due: 5),
            item("d", .expired, due: 1),
        ].inGroups
        #expect(groups.map(\.group) == [.upcoming, .expired])
        #expect(groups.map { $0.items.map(\.id) } == [["b", "c"], ["d", "a"]])
    }
}
