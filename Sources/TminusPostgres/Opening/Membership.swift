import FoundationEssentials
import TminusCore
import TminusStorage

/// The place of a follower in a fleet: a row that each of its writes renews. Its claims are valid as long as the row is there; the
/// leader removes a row that has run out, and releases the claims.
struct Membership {
    /// Names the place of the follower's state. One run at a time has the row of a place.
    let place: String
    /// Names the run in its claims.
    let owner: String
    /// The host and the process, for messages.
    let process: String
    /// What it says of itself: a ``FleetMachine`` as JSON.
    private var facts: String?
    /// Its definition files.
    private(set) var files: MachineFiles

    /// The membership of a run on a machine.
    init(of machine: String, owner: String, process: String, facts: FleetMachine?) {
        files = MachineFiles(of: machine)
        place = Self.place(of: machine)
        self.owner = owner
        self.process = process
        if let facts { describe(facts, files: nil) }
    }

    /// Has it say this of itself, and of its definition files, from the next renewal on.
    mutating func describe(_ machine: FleetMachine, files digests: [String: String]?) {
        facts = (try? JSONEncoder().encode(machine)).map { String(decoding: $0, as: UTF8.self) }
        files.have(machine.hash, digests)
    }

    /// The place of the follower on a machine. It has one of its own, because it may outlast the take-over by the same process.
    static func place(of machine: String) -> String { "\(machine)+follower" }

    /// Fails with ``Fence/refusal`` if a follower may not write: the leader is of an older program, or moves the store, or a newer one
    /// has changed the schema.
    static let check = """
        SELECT 1 / coalesce((
            SELECT 1 FROM lease WHERE role = 'schedule' AND shared
                AND EXISTS (SELECT 1 FROM meta WHERE oldest <= \(Migrations.schema))
        ), 0)
        """

    private static let join = """
        INSERT INTO follower (place, owner, process, facts, expires_at)
        VALUES ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond')
        ON CONFLICT (place) DO UPDATE SET owner = excluded.owner, process = excluded.process, facts = excluded.facts,
            expires_at = excluded.expires_at
        """

    /// Records how a held claim ends.
    private static let attempt = """
        INSERT INTO followed_attempt (delivery, definition, state, reason, next_attempt)
        SELECT id, definition, $1, $2, $3 FROM delivery
        WHERE number = $4 AND state = 'claimed' AND claim_token = $5
        """

    private static let leave = "DELETE FROM follower WHERE place = $1 AND owner = $2"
    private static let mark = "UPDATE follower SET mark = $1 WHERE place = $2 AND owner = $3"
    private static let isMarked = "SELECT 1 FROM follower WHERE mark = $1 AND place = $2 AND owner = $3"

    /// The host and the process of a follower that has not ended; nil if there is none.
    static func anyLiving(_ transaction: Transaction) throws -> String? {
        try transaction.text("SELECT process FROM follower WHERE expires_at > now() LIMIT 1")
    }

    /// Renews the row for `duration`, and makes it again if it was removed.
    func join(for duration: Duration, _ transaction: Transaction) throws {
        try transaction.post(Self.join, place, owner, process, facts, duration.milliseconds)
    }

    /// Remembers with which set its files were compared, after the commit.
    mutating func noted(_ compared: MachineFiles.FileSet?) { files.noted(compared) }

    /// Leaves to the leader how attempts ended. Comes before the settlements are written.
    func report(_ settlements: [Settlement], _ transaction: Transaction) throws {
        for settlement in settlements where settlement.report != nil || !settlement.outcome.isRetry {
            guard let (_, number) = ClaimTokens.numbers(of: settlement.token) else { continue }
            let (state, reason) = settlement.outcome.end
            var next: Timestamp?
            if case .retry(let instant, _) = settlement.outcome { next = instant }
            try transaction.post(Self.attempt, state.rawValue, reason, next, number, settlement.token)
        }
    }

    /// Removes the row.
    func leave(_ transaction: Transaction) throws { try transaction.post(Self.leave, place, owner) }

    /// Marks a commit, in place of the one before.
    func mark(_ mark: Int64, _ transaction: Transaction) throws { try transaction.post(Self.mark, mark, place, owner) }

    /// Whether the commit with that mark was written last.
    func isMarked(_ mark: Int64, _ transaction: Transaction) throws -> Bool {
        try transaction.number(Self.isMarked, mark, place, owner) != nil
    }
}
