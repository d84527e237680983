import TminusCore

/// Line and column of characters that are counted from the start of a text.
///
/// libyaml's own line numbers also count a lone CR; its count of characters is exact, so marks are made from that.
struct LineIndex {
    /// The number of scalars before each line.
    private var starts: [Int] = [0]

    /// The lines of `bytes`, which is valid UTF-8.
    init(_ bytes: ArraySlice<UInt8>) {
        var count = 0
        for byte in bytes where !UTF8.isContinuation(byte) {
            count += 1
            if byte == UInt8(ascii: "\n") { starts.append(count) }
        }
    }

    /// The place of the character with that index from 0.
    func mark(ofScalar index: Int) -> SourceMark {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= index { low = middle } else { high = middle }
        }
        return SourceMark(line: low + 1, column: index - starts[low] + 1)
    }
}
