/// Joins JSON arrays of objects into one, piece by piece.
package struct JoinedArrays: Sendable {
    private var isEmpty = true

    /// Nothing so far.
    package init() {}

    /// The text to write for one more array.
    package mutating func add(_ array: [UInt8]) -> [UInt8] {
        let blank = Set("[] \n\r\t".utf8)
        guard let first = array.firstIndex(where: { !blank.contains($0) }),
            let last = array.lastIndex(where: { !blank.contains($0) })
        else { return [] }
        defer { isEmpty = false }
        return Array((isEmpty ? "[\n" : ",\n").utf8) + array[first...last]
    }

    /// The text to write after the last array.
    package func end() -> [UInt8] { Array((isEmpty ? "[]\n" : "\n]\n").utf8) }
}
