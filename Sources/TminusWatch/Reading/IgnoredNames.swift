import TminusCore

/// Collects what one directory holds that is not read: the first names in their order, and how many there are.
struct IgnoredNames {
    private let room: Int
    private var first: [(name: [UInt8], reason: IgnoredEntry.Reason)] = []
    private(set) var total = 0

    /// Room for so many names.
    init(room: Int) {
        self.room = room
    }

    /// Takes in one. Costs one comparison for most names of a large directory.
    mutating func add(_ name: [UInt8], _ reason: IgnoredEntry.Reason) {
        total += 1
        if first.count == room {
            guard let last = first.last, name.lexicographicallyPrecedes(last.name) else { return }
            first.removeLast()
        }
        let index = first.firstIndex { name.lexicographicallyPrecedes($0.name) } ?? first.endIndex
        first.insert((name, reason), at: index)
    }

    /// Adds what was collected to that of the directories before. `directory` is the path below the root.
    func append(to ignored: inout IgnoredEntries, in directory: RawPath) {
        ignored.total += total
        ignored.entries += first.map { IgnoredEntry(path: directory.appending($0.name).shown, reason: $0.reason) }
    }
}
