import Glibc
import TminusCore

/// When a payload file is moved away for a new one, and how many are kept: `out.1` is the newest, `out.5` the oldest.
package struct PayloadRotation: Sendable, Hashable {
    /// The most bytes of a file; nil: no bound. A line that is longer alone stands alone.
    package var size: Int?
    /// How long after its first payload a file gets no more; nil: no bound.
    package var age: Duration?
    /// How many former files are kept, 1 to 999.
    package var keep = 5

    /// A rotation by size, age or both; never, without either.
    package init(size: Int? = nil, age: Duration? = nil, keep: Int = 5) {
        self.size = size
        self.age = age
        self.keep = keep
    }

    /// Whether a file is to be moved away before more is appended.
    ///
    /// - Parameters:
    ///   - length: Its bytes now; an empty file stays.
    ///   - next: The bytes of the next line.
    ///   - began: The instant of its first payload.
    func isDue(length: Int, next: Int, began: Timestamp?, now: Timestamp) -> Bool {
        guard length > 0 else { return false }
        if let size, length + next > size { return true }
        if let age, let began, began.duration(to: now) >= age { return true }
        return false
    }

    /// How many of `lengths`, the bytes of lines, go into a file of `length` bytes; at least one.
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

    /// Moves the file and the former ones up by one name. Called under the lock of the file at `path`: whoever else wants to
    /// rotate waits for that lock, and then finds that the file is not at the path any more.
    ///
    /// A crash on the way leaves a gap in the names, and every line where it is.
    ///
    /// - Returns: an error number; 0: done.
    func rotate(_ path: String) -> CInt {
        for number in stride(from: keep - 1, to: 0, by: -1) {
            if rename("\(path).\(number)", "\(path).\(number + 1)") != 0 && errno != ENOENT { return errno }
        }
        return rename(path, "\(path).1") == 0 ? 0 : errno
    }
}
