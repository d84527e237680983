/// The definitions in force: rows by number, which is the slot in the queue, and the number of each id.
struct ScheduleTable: Sendable {
    private var rows = ContiguousArray<ScheduleRow?>()
    private var index = SlotIndex()
    private var freeSlots: [UInt32] = []
    /// So many numbers are in the index already, the last of them without a row yet.
    private var preparedCount = 0
    /// Whether the numbers have the order of the ids: so it is as long as nothing was added between.
    private(set) var isInOrder = true

    /// How many there are.
    var count: Int { index.count }

    /// The number of a definition.
    func slot(of id: DefinitionID) -> UInt32? {
        index.slot(of: id) { Int($0) < rows.count && rows[Int($0)]?.definition.id == id }
    }

    /// One of them.
    func row(_ id: DefinitionID) -> ScheduleRow? { slot(of: id).flatMap { rows[Int($0)] } }

    /// The row of a number; nil if that is not in use.
    subscript(slot: UInt32) -> ScheduleRow? { Int(slot) < rows.count ? rows[Int(slot)] : nil }

    /// For when a number is armed; nil if it is not.
    func armedFor(_ slot: UInt32) -> Timestamp? { Int(slot) < rows.count ? rows[Int(slot)]?.armedFor : nil }

    /// The id of a number.
    func id(_ slot: UInt32) -> DefinitionID? { Int(slot) < rows.count ? rows[Int(slot)]?.definition.id : nil }

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
            isInOrder = false
        } else {
            slot = UInt32(rows.count)
            // No number is free, so the last one is in use.
            if isInOrder, let last = rows.last ?? nil { isInOrder = last.definition.id < row.definition.id }
            rows.append(row)
            if rows.count <= preparedCount { return slot }
        }
        index.insert(row.definition.id, slot: slot)
        return slot
    }

    /// Puts a row in the place of the one with its id.
    mutating func replace(_ slot: UInt32, by row: ScheduleRow) { rows[Int(slot)] = row }

    /// Takes note that a row has no place in the queue.
    mutating func disarm(_ slot: UInt32) { rows[Int(slot)]?.armedFor = nil }

    /// Removes a row and gives its number back.
    mutating func remove(_ slot: UInt32) -> ScheduleRow? {
        guard let row = rows[Int(slot)] else { return nil }
        index.remove(row.definition.id, slot: slot)
        rows[Int(slot)] = nil
        freeSlots.append(slot)
        return row
    }

    /// Makes an empty table ready for these definitions, of which each is inserted next, in this order.
    ///
    /// The room is exactly that, because growing bit by bit leaves up to half unused. And finding the places in the index one
    /// after the other, with nothing between, lets the processor wait for many cache misses at once.
    mutating func prepare(_ definitions: [Definition]) {
        rows = []
        freeSlots = []
        isInOrder = true
        preparedCount = definitions.count
        rows.reserveCapacity(definitions.count)
        index = SlotIndex(definitions.lazy.map(\.id))
    }
}
