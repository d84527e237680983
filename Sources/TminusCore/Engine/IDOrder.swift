/// Sorts by id. The first 16 bytes of an id are compared as numbers, without looking at the id: ids are ASCII, so that this is
/// their order, and of a million ids each is looked at once.
struct IDOrder {
    private struct Key {
        var first: UInt64
        var second: UInt64
        var index: UInt32
    }

    /// The elements in the order of their ids.
    static func sorted<Element>(_ elements: [Element], id: (Element) -> DefinitionID) -> [Element] {
        guard elements.count > 1 else { return elements }
        var keys = elements.indices.map { index in
            let (first, second) = leadingBytes(id(elements[index]))
            return Key(first: first, second: second, index: UInt32(index))
        }
        keys.sort { left, right in
            if left.first != right.first { return left.first < right.first }
            if left.second != right.second { return left.second < right.second }
            // Longer than that, and alike so far.
            return id(elements[Int(left.index)]) < id(elements[Int(right.index)])
        }
        return keys.map { elements[Int($0.index)] }
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
