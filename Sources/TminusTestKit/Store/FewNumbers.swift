/// A few numbers in some order. Nearly always it is one, which needs no memory of its own.
struct FewNumbers: Sendable, RandomAccessCollection {
    /// The first; below zero: there is none.
    private var head = -1
    private var tail: [Int] = []

    var startIndex: Int { 0 }
    var endIndex: Int { head < 0 ? 0 : 1 + tail.count }
    subscript(index: Int) -> Int { index == 0 ? head : tail[index - 1] }

    /// Adds a number that is not negative.
    mutating func append(_ number: Int) { insert(number, at: endIndex) }

    /// Adds a number that is not negative, as the one with that index.
    mutating func insert(_ number: Int, at index: Int) {
        if index > 0 { return tail.insert(number, at: index - 1) }
        if head >= 0 { tail.insert(head, at: 0) }
        head = number
    }

    mutating func remove(_ number: Int) {
        if head == number {
            head = tail.isEmpty ? -1 : tail.removeFirst()
        } else {
            tail.removeAll { $0 == number }
        }
    }

    /// The first index of which the number satisfies `isThere`, which holds for all behind it as well.
    func firstIndex(from isThere: (Int) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isThere(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
