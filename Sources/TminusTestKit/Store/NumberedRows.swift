/// Rows by number. The number of one that was removed is given again; until then what it held stays in memory.
struct NumberedRows<Row: Sendable>: Sendable {
    private var rows = ContiguousArray<Row>()
    /// The numbers that are not in use, to be given again.
    private var free: [Int] = []
    /// Whether each was removed, as far as any was. Not an optional row: to look at one field of that would copy the whole.
    private var isRemoved = ContiguousArray<Bool>()

    /// The number that the next row gets.
    var next: Int { free.last ?? rows.count }

    /// All numbers in use, ascending.
    var numbers: some Sequence<Int> { rows.indices.lazy.filter { isUsed($0) } }

    /// All of them, by number.
    var all: some Sequence<Row> { numbers.lazy.map { rows[$0] } }

    /// Makes room for so many in all.
    mutating func reserve(_ count: Int) { rows.reserveCapacity(count) }

    /// Adds a row, as number ``next``.
    mutating func append(_ row: Row) {
        guard let number = free.popLast() else { return rows.append(row) }
        rows[number] = row
        isRemoved[number] = false
    }

    /// Removes the row of a number that is in use.
    mutating func remove(_ number: Int) {
        let unknown = rows.count - isRemoved.count
        if unknown > 0 { isRemoved.append(contentsOf: repeatElement(false, count: unknown)) }
        isRemoved[number] = true
        free.append(number)
    }

    /// Whether a number is in use.
    func isUsed(_ number: Int) -> Bool {
        rows.indices.contains(number) && (free.isEmpty || number >= isRemoved.count || !isRemoved[number])
    }

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

    /// The number of a row, which is made if there is none.
    mutating func number(of key: Key, orNew row: @autoclosure () -> Row) -> Int {
        let next = rows.next
        // One look at the dictionary: it finds the key or its place.
        let number = Self.same(&numbers[key, default: next])
        if number == next { rows.append(row()) }
        return number
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
