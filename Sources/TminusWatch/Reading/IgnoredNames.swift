import TminusCore

/// Collects the names in one directory that are not read: the first ones in order, and their number.
struct IgnoredNames {
    private let room: Int
    private var first: [(name: [UInt8], reason: IgnoredEntry.Reason)] = []
    private(set) var total = 0

    /// Keeps at most `room` names.
    init(room: Int) {
        self.room = room
    }

    /// Adds a name. In a large directory most names cost one comparison.
    mutating func add(_ name: [UInt8], _ reason: IgnoredEntry.Reason) {
        total += 1
        if first.count == room {
            guard let last = first.last, name.lexicographicallyPrecedes(last.name) else { return }
            first.removeLast()
        }
        let index = first.firstIndex { name.lexicographicallyPrecedes($0.name) } ?? first.endIndex
        first.insert((name, reason), at: index)
    }

    /// Adds the collected names to those of earlier directories. `directory` is the path below the root.
    func append(to ignored: inout IgnoredEntries, in directory: RawPath) {
        ignored.total += total
        ignored.entries += first.map { IgnoredEntry(path: directory.appending($0.name).shown, reason: $0.reason) }
    }
}
