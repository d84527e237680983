import Glibc
import TminusCore

/// When a payload file is moved away for a new one, and how many old ones are kept: `out.1` is the newest, `out.5` the oldest.
package struct PayloadRotation: Sendable, Hashable {
    /// The most bytes of a file; nil: no bound. A line that is longer gets a file of its own.
    package var size: Int?
    /// The maximum age of a file, from its first payload on; nil: no bound.
    package var age: Duration?
    /// The number of old files to keep, 1 to 999.
    package var keep = 5

    /// A rotation by size, age or both; without either the file is never rotated.
    package init(size: Int? = nil, age: Duration? = nil, keep: Int = 5) {
        self.size = size
        self.age = age
        self.keep = keep
    }

    /// Whether a file is to be moved away before more is appended.
    ///
    /// - Parameters:
    ///   - length: Its length; an empty file stays.
    ///   - next: The length of the next line.
    ///   - began: The instant of its first payload.
    func isDue(length: Int, next: Int, began: Timestamp?, now: Timestamp) -> Bool {
        guard length > 0 else { return false }
        if let size, length + next > size { return true }
        if let age, let began, began.duration(to: now) >= age { return true }
        return false
    }

    /// How many lines of these lengths fit into a file of `length` bytes; at least one.
    func room(for lengths: some Sequence<Int>, length: Int) -> Int {
        guard let size else { return Int.max }
        var total = length
        var count = 0
        for next in lengths {
            total += next
            if count > 0 && total > size { break }
            count += 1
        }
        return count
    }

    /// Renames the file and the old ones, each to the next number. Called under the lock of the file at `path`: another process
    /// that wants to rotate waits for that lock, and then finds that the file is no longer at the path.
    ///
    /// A crash half-way leaves a gap in the numbers and loses no line.
    ///
    /// - Returns: 0 or an `errno`.
    func rotate(_ path: String) -> CInt {
        for number in stride(from: keep - 1, to: 0, by: -1) {
            if rename("\(path).\(number)", "\(path).\(number + 1)") != 0 && errno != ENOENT { return errno }
        }
        return rename(path, "\(path).1") == 0 ? 0 : errno
    }
}
