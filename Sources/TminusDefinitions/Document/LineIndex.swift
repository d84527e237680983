import TminusCore

/// Converts character offsets to lines and columns.
///
/// libyaml also counts a lone CR as a line break, so its line numbers do not match those of editors. Its character
/// count is exact, so marks are derived from that.
struct LineIndex {
    /// The number of scalars before each line.
    private var starts: [Int] = [0]

    /// Indexes `bytes`, which must be valid UTF-8.
    init(_ bytes: ArraySlice<UInt8>) {
        var count = 0
        for byte in bytes where !UTF8.isContinuation(byte) {
            count += 1
            if byte == UInt8(ascii: "\n") { starts.append(count) }
        }
    }

    /// The mark of the character with that index, counted from 0.
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
