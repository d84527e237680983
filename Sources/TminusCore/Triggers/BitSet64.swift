/// Sets of the numbers 0 to 63, stored as the bits of a word.
enum BitSet64 {
    /// The smallest element that is at least `low`; nil if there is none.
    @inline(__always)
    static func first(in set: UInt64, from low: Int) -> Int? {
        guard low < 64 else { return nil }
        let rest = set & (~0 << UInt64(low))
        return rest == 0 ? nil : rest.trailingZeroBitCount
    }

    /// The number of elements less than `high`.
    @inline(__always)
    static func count(in set: UInt64, below high: Int) -> Int {
        high >= 64 ? set.nonzeroBitCount : (set & (1 << UInt64(high) - 1)).nonzeroBitCount
    }

    /// The element with `rank` smaller ones; the set must have more than `rank` elements.
    static func element(_ rank: Int, of set: UInt64) -> Int {
        var rest = set
        for _ in 0..<rank { rest &= rest &- 1 }
        return rest.trailingZeroBitCount
    }

    /// The elements, ascending.
    static func elements(of set: UInt64) -> [Int] { (0..<64).filter { set >> UInt64($0) & 1 == 1 } }

    /// The set of these numbers, each 0 to 63.
    static func set(_ numbers: some Sequence<Int>) -> UInt64 { numbers.reduce(0) { $0 | 1 << UInt64($1) } }
}

/// Floor division by a positive number.
@inline(__always)
func floorDivision(_ value: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

/// The smallest number that is at least `value` and differs from `anchor` by a multiple of `interval`.
@inline(__always)
func aligned(_ value: Int, to anchor: Int, by interval: Int) -> Int {
    if interval == 1 { return value }
    let remainder = floorDivision(value - anchor, interval).remainder
    return remainder == 0 ? value : value + interval - remainder
}
