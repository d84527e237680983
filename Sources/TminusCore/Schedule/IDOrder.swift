/// Sorts places by their ids. Ids are ASCII, so comparing their first 16 bytes as two integers gives the same order;
/// each id is read only once, which avoids a cache miss per comparison.
struct IDOrder<Place> {
    private struct Key {
        var first: UInt64
        var second: UInt64
        var place: Place
    }

    private var keys: [Key] = []

    /// Reserves room for `capacity` places.
    init(capacity: Int) {
        keys.reserveCapacity(capacity)
    }

    /// Adds the place of an id.
    mutating func add(_ place: Place, _ id: DefinitionID) {
        let (first, second) = Self.leadingBytes(id)
        keys.append(Key(first: first, second: second, place: place))
    }

    /// The places sorted by id. `id` looks an id up again where two ids have the same first 16 bytes.
    consuming func sorted(_ id: (Place) -> DefinitionID?) -> [Place] {
        keys.sort { left, right in
            if left.first != right.first { return left.first < right.first }
            if left.second != right.second { return left.second < right.second }
            guard let one = id(left.place), let other = id(right.place) else { return false }
            return one < other
        }
        return keys.map(\.place)
    }

    private static func leadingBytes(_ id: DefinitionID) -> (UInt64, UInt64) {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var count = 0
        for byte in id.rawValue.utf8.prefix(16) {
            if count < 8 { first = first << 8 | UInt64(byte) } else { second = second << 8 | UInt64(byte) }
            count += 1
        }
        first <<= UInt64(8 * max(0, 8 - count))
        second <<= UInt64(8 * min(8, 16 - count))
        return (first, second)
    }
}
