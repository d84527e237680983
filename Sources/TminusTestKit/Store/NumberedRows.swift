/// Rows by number. The number of one that was removed is given again; until then what it held stays in memory.
struct NumberedRows<Row: Sendable>: Sendable {
    private var rows = ContiguousArray<Row>()
    /// Those that are not in use. Not an optional row: to look at one field of that would copy the whole.
    private var free: Set<Int> = []

    /// The number that the next row gets.
    var next: Int { free.first ?? rows.count }

    /// All numbers in use, ascending.
    var numbers: some Sequence<Int> { rows.indices.lazy.filter { !free.contains($0) } }

    /// All of them, by number.
    var all: some Sequence<Row> { numbers.lazy.map { rows[$0] } }

    /// Makes room for so many in all.
    mutating func reserve(_ count: Int) { rows.reserveCapacity(count) }

    /// Adds a row, as number ``next``.
    mutating func append(_ row: Row) {
        guard !free.isEmpty else { return rows.append(row) }
        rows[free.removeFirst()] = row
    }

    /// Removes the row of a number that is in use.
    mutating func remove(_ number: Int) { free.insert(number) }

    /// Whether a number is in use.
    func isUsed(_ number: Int) -> Bool { rows.indices.contains(number) && !free.contains(number) }

    /// The row of a number that is in use, changed in its place.
    subscript(number: Int) -> Row {
        _read { yield rows[number] }
        _modify { yield &rows[number] }
    }
}

/// Rows that are found by a key.
struct KeyedRows<Key: Hashable & Sendable, Row: Sendable>: Sendable {
    private var rows = NumberedRows<Row>()
    private var numbers: [Key: Int] = [:]

    /// How many there are.
    var count: Int { numbers.count }
    /// How many there is room for.
    var capacity: Int { numbers.capacity }

    /// Makes room for so many in all.
    mutating func reserve(_ count: Int) {
        numbers.reserveCapacity(count)
        rows.reserve(count)
    }

    /// The number of a row.
    func number(of key: Key) -> Int? { numbers[key] }

    /// The number of a row, which is made if there is none, and whether it was.
    mutating func number(of key: Key, orNew row: @autoclosure () -> Row) -> (number: Int, isNew: Bool) {
        let next = rows.next
        // One look at the dictionary: it finds the key or its place.
        let number = Self.same(&numbers[key, default: next])
        guard number == next else { return (number, false) }
        rows.append(row())
        return (number, true)
    }

    /// Whether a number is in use.
    func isUsed(_ number: Int) -> Bool { rows.isUsed(number) }

    /// All numbers in use, ascending.
    var all: some Sequence<Int> { rows.numbers }

    /// All rows, by number.
    var values: some Sequence<Row> { rows.all }

    /// The row of a number that is in use, changed in its place.
    subscript(number: Int) -> Row {
        _read { yield rows[number] }
        _modify { yield &rows[number] }
    }

    /// Removes the row of a key.
    mutating func remove(_ key: Key) {
        if let number = numbers.removeValue(forKey: key) { rows.remove(number) }
    }

    private static func same(_ number: inout Int) -> Int { number }
}
