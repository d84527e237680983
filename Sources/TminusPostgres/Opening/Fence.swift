import TminusCore
import TminusStorage

/// The lease of one daemon on the schedule of a database: a row with a term. A database has one daemon, and one that was taken
/// for dead and wakes cannot write: each transaction that writes checks the row, and a take-over waits for its end.
struct Fence {
    /// Who holds the lease.
    struct Holder {
        /// The place of the daemon's state. Behind its lock only one daemon runs, so the next takes its lease over at once.
        let machine: String
        /// The host and the process, for messages.
        let process: String

        /// Tells the runs of one place apart.
        let run: String

        /// The text in the row.
        var text: String { "\(machine) \(process) \(run)" }

        /// The host and the process in the text of a row.
        static func words(_ text: String) -> String {
            text.split(separator: " ").dropFirst().dropLast().joined(separator: " ")
        }
    }

    /// A daemon of another place, which has held the lease last and did not end it.
    struct Rival {
        /// Its host and its process, for messages.
        let process: String
        /// Whether its lease is not over.
        let isLiving: Bool
        /// The end of its lease, which tells one renewal from the next.
        let end: Int64
        /// How long its lease goes on.
        let rest: Duration
    }

    /// The result of an attempt to take the lease.
    enum Taking {
        case taken(Fence)
        case held(by: Rival)
        /// Nobody holds it, and a machine with newer zone data may take it first.
        case givesWay
    }

    /// The number of the lease.
    let term: Int64
    /// The text of the holder.
    let holder: String

    /// What the server reports for ``check``: a division by zero.
    static let refusal = "22012"

    /// Fails if the row is not that of the given term and holder, and keeps it from being taken until the transaction ends.
    static let check = """
        SELECT 1 / coalesce((
            SELECT 1 FROM lease WHERE role = 'schedule' AND term = $1 AND holder = $2 FOR SHARE
        ), 0)
        """

    /// Prolongs the lease and returns the time, or no row if somebody else has it. `$3` is in milliseconds.
    static let renew = """
        UPDATE lease SET expires_at = now() + $3 * interval '1 millisecond'
        WHERE role = 'schedule' AND term = $1 AND holder = $2 RETURNING \(time)
        """

    /// Reads the clock.
    static let clock = "SELECT \(time)"

    /// What the clock shows, in nanoseconds since 1970. Not when the transaction began, which may have waited since.
    private static let time = "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) * 1000"

    /// Lets followers claim: the definitions of the leader are known.
    static let open = "UPDATE lease SET ready = true WHERE role = 'schedule'"

    /// Whether followers may claim.
    static let isOpen = "SELECT 1 FROM lease WHERE role = 'schedule' AND ready"

    /// Fails if neither the write with the mark `$2`, which was acknowledged as durable, nor a later one of the term is there. A standby
    /// that took the place of the server, or a backup, may have less than was acknowledged.
    static let checkHistory = """
        SELECT CAST(CASE WHEN EXISTS (SELECT 1 FROM commit_mark WHERE term = $1 AND mark >= $2)
            THEN '1' ELSE 'lost' END AS bigint)
        """

    /// Marks a write.
    static let mark = "INSERT INTO commit_mark (mark, term) VALUES ($1, $2)"

    /// Removes the mark of the write before.
    static let unmark = "DELETE FROM commit_mark WHERE mark = $1"

    /// Waits until no other transaction writes: the leader and its followers take turns. What a single daemon may count on, such as
    /// that the highest number of a row is the last one, holds for all of them.
    static let turn = "SELECT 1 FROM lease WHERE role = 'turn' FOR UPDATE"

    /// Whether a commit was written.
    static let isMarked = "SELECT 1 FROM commit_mark WHERE mark = $1"

    private static let unmarkFormer = "DELETE FROM commit_mark WHERE term < $1"

    /// Ends the lease.
    static let resign = """
        UPDATE lease SET expires_at = now(), holder = NULL WHERE role = 'schedule' AND term = $1 AND holder = $2
        """

    private static let read = """
        SELECT term, holder, expires_at > now(),
            CASE WHEN isfinite(expires_at)
            THEN CAST(extract(epoch FROM expires_at) * 1000 AS bigint) ELSE 0 END,
            CASE WHEN isfinite(expires_at)
            THEN CAST(extract(epoch FROM expires_at - now()) * 1000 AS bigint) ELSE 0 END
        FROM lease WHERE role = 'schedule'
        """

    /// The row of the lease.
    private struct Row {
        let term: Int64
        let holder: String?
        let isLiving: Bool
        let end: Int64
        let rest: Duration

        init(_ sql: String, _ transaction: Transaction) throws {
            let row = try transaction.first(sql) { row in
                (
                    try row.number(0), try row.optionalText(1), try row.number(2) != 0, try row.number(3),
                    try row.number(4)
                )
            }
            guard let row, (0..<Counts.rowNumbers.upperBound).contains(row.0) else {
                throw UnreadableRow(what: "the lease")
            }
            (term, holder, isLiving, end) = (row.0, row.1, row.2, row.3)
            rest = .milliseconds(row.4)
        }

        /// The daemon of another place that has the lease, or had it; nil if there is none.
        func rival(of own: Holder) -> Rival? {
            guard let holder, !holder.hasPrefix("\(own.machine) ") else { return nil }
            return Rival(process: Holder.words(holder), isLiving: isLiving, end: end, rest: rest)
        }
    }

    /// The daemon whose lease `holder` would take; nil if nobody has it. It locks nothing: a daemon that stands by must not delay the
    /// leader, not even while it is suspended.
    static func rival(of holder: Holder, _ transaction: Transaction) throws -> Rival? {
        try Row(read, transaction).rival(of: holder)
    }

    /// Takes the lease if it is over, or is that of an earlier run of the same place. Taking it twice changes nothing, so an
    /// attempt whose answer was lost is repeated.
    ///
    /// - Parameter isShared: Whether followers may deliver meanwhile.
    static func take(
        _ holder: Holder, for duration: Duration, isShared: Bool, _ transaction: Transaction
    ) throws -> Taking {
        let current = try Row("\(read) FOR UPDATE", transaction)
        if let rival = current.rival(of: holder), rival.isLiving { return .held(by: rival) }
        let isOwn = current.holder == holder.text
        let fence = Fence(term: isOwn ? current.term : current.term + 1, holder: holder.text)
        try transaction.post(
            "UPDATE lease SET term = $1, holder = $2, shared = ($3 = 1), ready = false WHERE role = 'schedule'",
            fence.term,
            fence.holder,
            isShared ? 1 : 0)
        try transaction.post(unmarkFormer, fence.term)
        try transaction.post(renew, fence.term, fence.holder, duration.milliseconds)
        return .taken(fence)
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
