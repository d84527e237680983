/// The definitions in force: rows by number, which is the slot in the queue, and the number of each id.
struct ScheduleTable: Sendable {
    private var rows = ContiguousArray<ScheduleRow?>()
    private var index = SlotIndex()
    private var freeSlots: [UInt32] = []
    /// How many there are by kind and state.
    private(set) var counts = DefinitionCounts()

    /// How many there are.
    var count: Int { index.count }

    /// The number of a definition.
    func slot(of id: DefinitionID) -> UInt32? {
        index.slot(of: id) { rows[Int($0)]?.definition.id == id }
    }

    /// One of them.
    func row(_ id: DefinitionID) -> ScheduleRow? { slot(of: id).flatMap { rows[Int($0)] } }

    /// The row of a number; nil if that is not in use.
    subscript(slot: UInt32) -> ScheduleRow? { Int(slot) < rows.count ? rows[Int(slot)] : nil }

    /// Whether the id of a slot comes before that of another one.
    func isInOrder(_ left: UInt32, _ right: UInt32) -> Bool {
        guard let left = rows[Int(left)]?.definition, let right = rows[Int(right)]?.definition else { return false }
        return left.id < right.id
    }

    /// Up to `limit` rows from a number on, and the number after the last of them; nil if there is none.
    func page(from start: UInt32, limit: Int) -> (rows: [ScheduleRow], next: UInt32?) {
        var page: [ScheduleRow] = []
        for number in Int(start)..<max(Int(start), rows.count) {
            guard let row = rows[number] else { continue }
            if page.count == limit { return (page, UInt32(number)) }
            page.append(row)
        }
        return (page, nil)
    }

    /// All of them by number.
    var all: some Sequence<(slot: UInt32, row: ScheduleRow)> {
        rows.indices.lazy.compactMap { index in rows[index].map { (slot: UInt32(index), row: $0) } }
    }

    /// Adds a row of an id that is not there, and gives its number.
    mutating func insert(_ row: ScheduleRow) -> UInt32 {
        let slot: UInt32
        if let free = freeSlots.popLast() {
            slot = free
            rows[Int(slot)] = row
        } else {
            slot = UInt32(rows.count)
            rows.append(row)
        }
        index.insert(row.definition.id, slot: slot)
        counts.add(1, row.definition, row.phase)
        return slot
    }

    /// Puts a row in the place of the one with its id.
    mutating func replace(_ slot: UInt32, by row: ScheduleRow) {
        if let former = rows[Int(slot)] { counts.add(-1, former.definition, former.phase) }
        counts.add(1, row.definition, row.phase)
        rows[Int(slot)] = row
    }

    /// Removes a row and gives its number back.
    mutating func remove(_ slot: UInt32) -> ScheduleRow? {
        guard let row = rows[Int(slot)] else { return nil }
        index.remove(row.definition.id, slot: slot)
        counts.add(-1, row.definition, row.phase)
        rows[Int(slot)] = nil
        freeSlots.append(slot)
        return row
    }

    /// Makes room in an empty table for exactly so many rows: growing bit by bit would leave up to half of it unused.
    mutating func reserve(_ count: Int) {
        rows.reserveCapacity(count)
        index.reserve(count)
    }
}
