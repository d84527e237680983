import TminusCore

// The tables of a ``MemoryOutbox``. Rows refer to each other by number.
extension MemoryOutbox {
    struct DefinitionRow: Sendable {
        let id: DefinitionID
        var schedule: ScheduleState?
        /// By their instants.
        var occurrences = FewNumbers()
        /// One for each sink.
        var chains = FewNumbers()
    }

    /// What all firings of one occurrence have in common.
    struct OccurrenceRow: Sendable {
        let definition: Int
        let instant: Timestamp
        var firings = FewNumbers()
    }

    struct FiringRow: Sendable {
        let firing: Firing
        let created: Timestamp
        let occurrence: Int
        var deliveries = FewNumbers()
    }

    /// The deliveries of one definition to one sink.
    struct ChainRow: Sendable {
        let definition: Int
        let sink: Int
        /// Those that are not over, in their order.
        var open = FewNumbers()
    }

    struct SinkRow: Sendable {
        let key: SinkKey
        /// Nil if it was never written.
        var spec: SinkSpec?
        var revision = ""
        var isLive = false
        var line = DueLine()
    }

    struct DeliveryRow: Sendable {
        struct Claim: Sendable {
            var token: String
            var owner: String
            var until: Timestamp
        }

        /// Counts up as deliveries are written.
        let rank: Int
        let id: DeliveryID
        let firing: Int
        let chain: Int
        let created: Timestamp
        let overlap: Overlap
        fileprivate(set) var state: DeliveryState
        /// While it is claimed.
        fileprivate(set) var claim: Claim?
        /// Once it is over.
        fileprivate(set) var settled: Timestamp?
        /// Why it ended, or waits for another attempt.
        var reason: String?
        var attempt = 0
        var tries = 0
        var nextAttempt: Timestamp
        var since: Timestamp
        var expires: Timestamp?
        var started: Timestamp?
        var log: [AttemptRecord] = []

        init(
            rank: Int, id: DeliveryID, firing: Int, chain: Int, overlap: Overlap, now: Timestamp,
            nextAttempt: Timestamp, expires: Timestamp?
        ) {
            self.rank = rank
            self.id = id
            self.firing = firing
            self.chain = chain
            self.overlap = overlap
            self.nextAttempt = nextAttempt
            self.expires = expires
            created = now
            since = now
            state = .queued
        }

        /// Makes it wait, for its turn or its instant.
        mutating func wait(_ state: DeliveryState) { (self.state, claim, settled) = (state, nil, nil) }

        mutating func begin(_ claim: Claim) { (state, self.claim) = (.claimed, claim) }

        mutating func end(_ state: DeliveryState, _ reason: String?, at instant: Timestamp) {
            (self.state, claim, settled) = (state, nil, instant)
            self.reason = reason
        }

        /// Puts a dead letter aside.
        mutating func discard() { state = .discarded }

        /// Its place in the line of its sink, while it is pending.
        func turn(_ number: Int) -> DueLine.Turn? {
            state == .pending ? DueLine.Turn(due: nextAttempt, rank: rank, delivery: number) : nil
        }

        /// Keeps how an attempt ended; of many, the last.
        mutating func record(
            _ outcome: AttemptRecord.Outcome, _ reason: String?, _ report: DeliveryReport, at end: Timestamp
        ) {
            if log.count >= DeliveryRecord.keptAttempts { log.removeFirst(log.count - DeliveryRecord.keptAttempts + 1) }
            log.append(
                AttemptRecord(
                    number: attempt, started: started ?? end, ended: end, outcome: outcome, reason: reason,
                    report: report))
        }
    }
}
