/// Maps ids to slots without storing the ids: a hash table with linear probing, 8 bytes per place, at most three
/// quarters full.
///
/// A place holds half of the hash and the slot. The owner of the ids confirms whether the slot belongs to the id.
struct SlotIndex: Sendable {
    /// 0 for a free place; otherwise the hash in the upper half, and the slot plus 1 in the lower half.
    private var places = ContiguousArray<UInt64>()
    private(set) var count = 0

    /// Creates an empty index.
    init() {}

    /// The slot of an id; `isIt` decides between slots with the same hash.
    @inline(__always)
    func slot(of id: DefinitionID, where isIt: (UInt32) -> Bool) -> UInt32? {
        guard count > 0 else { return nil }
        return find(Self.hash(id), where: isIt).map { Self.slot(places[$0]) }
    }

    /// Adds an id that is not in the index.
    mutating func insert(_ id: DefinitionID, slot: UInt32) {
        reserve(1)
        count += 1
        place(Self.hash(id) << 32 | UInt64(slot + 1))
    }

    /// Removes an id with its slot.
    mutating func remove(_ id: DefinitionID, slot: UInt32) {
        guard var free = find(Self.hash(id), where: { $0 == slot }) else { return }
        count -= 1
        // Moves later places up to close the gap, but never before the start of their own probe sequence.
        var next = free
        while true {
            next = after(next)
            let place = places[next]
            guard place != 0 else { break }
            let home = home(of: place >> 32)
            let isBetween = free < next ? free < home && home <= next : free < home || home <= next
            guard !isBetween else { continue }
            places[free] = place
            free = next
        }
        places[free] = 0
    }

    /// Makes room for `more` additional ids.
    mutating func reserve(_ more: Int) {
        let needed = count + more
        guard 4 * needed > 3 * places.count else { return }
        let former = places
        let size = max(8, 4 * needed / 3 + 1, places.count + places.count / 2)
        places = ContiguousArray(repeating: 0, count: size)
        for place in former where place != 0 { self.place(place) }
    }

    private mutating func place(_ place: UInt64) {
        var index = home(of: place >> 32)
        while places[index] != 0 { index = after(index) }
        places[index] = place
    }

    private func find(_ hash: UInt64, where isIt: (UInt32) -> Bool) -> Int? {
        guard !places.isEmpty else { return nil }
        var index = home(of: hash)
        while places[index] != 0 {
            if places[index] >> 32 == hash, isIt(Self.slot(places[index])) { return index }
            index = after(index)
        }
        return nil
    }

    private func home(of hash: UInt64) -> Int { Int((hash &* UInt64(places.count)) >> 32) }
    private func after(_ index: Int) -> Int { index + 1 == places.count ? 0 : index + 1 }

    private static func slot(_ place: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: place) - 1 }
    private static func hash(_ id: DefinitionID) -> UInt64 { UInt64(UInt32(truncatingIfNeeded: id.hashValue)) }
}
