/// The marks of what a leader writes. A mark is a number in a row of `commit_mark`, higher than that of each write before. With it the leader
/// learns whether a commit without an answer was written, and whether the database still has what it acknowledged.
struct CommitMarks {
    /// The mark of the last write that is known to be in the database. Those of writes without an answer may stay there until the next term.
    private(set) var kept: Int64?
    /// The mark of the last durable write that was acknowledged.
    private(set) var durable: Int64?
    private var last: Int64?

    /// A mark for a write. Whether one without an answer was written is not known, so no mark is used twice.
    mutating func next() -> Int64 {
        let next = last.map { $0 &+ 1 } ?? Int64.random(in: 1...(1 << 62))
        last = next
        return next
    }

    /// Notes that a write was acknowledged, or found.
    mutating func written(_ mark: Int64, isDurable: Bool) {
        kept = mark
        if isDurable { durable = max(mark, durable ?? mark) }
    }
}
