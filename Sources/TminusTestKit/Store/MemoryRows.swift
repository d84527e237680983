import TminusCore

// The tables of a ``MemoryOutbox``. Rows refer to each other by number.
extension MemoryOutbox {
    struct DefinitionRow: Sendable {
        let id: DefinitionID
        var schedule: ScheduleState?
        /// By the instants of their occurrences.
        var firings = FewNumbers()
        /// One for each sink.
        var chains = FewNumbers()
    }

    struct FiringRow: Sendable {
        /// Those with which it was written, which are not copied: all of them stay as long as the row of one does.
        private let batch: [Firing]
        private let index: Int
        let created: Timestamp
        /// The row of its definition.
        let definition: Int
        var deliveries = FewNumbers()

        /// The row of one of these firings.
        init(_ index: Int, of batch: [Firing], created: Timestamp, definition: Int) {
            self.batch = batch
            self.index = index
            self.created = created
            self.definition = definition
        }

        var firing: Firing { _read { yield batch[index] } }
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
            /// Counts up as claims are made.
            var number: Int
            /// The number of who made it.
            var owner: Int
            var until: Timestamp

            /// Tells the claim and the delivery, so that neither is looked for.
            ///
            /// Both in 13 digits of base 32, which is as much text as needs no memory of its own.
            func token(of delivery: Int) -> String {
                let value = UInt64(number) << 32 | UInt64(delivery)
                return String(unsafeUninitializedCapacity: 13) { text in
                    for index in 0..<13 {
                        let digit = UInt8(truncatingIfNeeded: value >> UInt64(60 - 5 * index)) & 31
                        text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                    }
                    return 13
                }
            }

            /// The claim and the delivery of a token; nil if it is none.
            static func read(_ token: String) -> (number: Int, delivery: Int)? {
                UInt64(token, radix: 32).map { (Int($0 >> 32), Int($0 & UInt64(UInt32.max))) }
            }
        }

        /// What goes with some states: one at a time.
        private enum Mark: Sendable {
            case none
            case claimed(Claim)
            case settled(Timestamp)
        }

        /// Counts up as deliveries are written.
        let rank: Int
        let firing: Int
        let chain: Int
        let created: Timestamp
        let overlap: Overlap
        fileprivate(set) var state: DeliveryState
        private var mark: Mark = .none
        /// Why it ended, or waits for another attempt.
        var reason: String?
        var attempt = 0
        var tries = 0
        /// How many attempts in a row the end of the process has cut off.
        var interrupted = 0
        var nextAttempt: Timestamp
        var since: Timestamp
        var expires: Timestamp?
        var started: Timestamp?
        /// How its attempts ended, but for one that ended it: that stands in the other fields, and most have no other.
        private var former: [AttemptRecord] = []
        /// What the other end said of the attempt that ended it.
        private var report: DeliveryReport?

        /// While it is claimed.
        var claim: Claim? {
            if case .claimed(let claim) = mark { claim } else { nil }
        }
        /// Once it is over.
        var settled: Timestamp? {
            if case .settled(let instant) = mark { instant } else { nil }
        }
        /// How its last attempts ended, oldest first.
        var log: [AttemptRecord] {
            guard let end = settled, let report else { return former }
            var log = Array(former.suffix(DeliveryRecord.keptAttempts - 1))
            log.append(record(state.lastOutcome, reason, report, at: end))
            return log
        }

        init(
            rank: Int, firing: Int, chain: Int, overlap: Overlap, now: Timestamp,
            nextAttempt: Timestamp, expires: Timestamp?
        ) {
            self.rank = rank
            self.firing = firing
            self.chain = chain
            self.overlap = overlap
            self.nextAttempt = nextAttempt
            self.expires = expires
            created = now
            since = now
            state = .queued
        }

        /// Whether it is one attempt short of being set aside.
        var isSuspect: Bool { interrupted >= InterruptedAttempts.limit - 1 }

        /// Makes it wait, for its turn or its instant.
        mutating func wait(_ state: DeliveryState) { (self.state, mark) = (state, .none) }

        /// Begins an attempt.
        mutating func begin(_ claim: Claim, at now: Timestamp) {
            (state, mark) = (.claimed, .claimed(claim))
            attempt += 1
            tries += 1
            started = now
        }

        /// Ends it; with a report by an attempt.
        mutating func end(
            _ state: DeliveryState, _ reason: String?, _ report: DeliveryReport? = nil, at instant: Timestamp
        ) {
            (self.state, mark) = (state, .settled(instant))
            (self.reason, self.report) = (reason, report)
        }

        /// Puts a dead letter aside.
        mutating func discard() { state = .discarded }

        /// Has it tried from the beginning: a person wants it.
        mutating func begin(anew now: Timestamp) {
            former = log
            wait(.queued)
            nextAttempt = now
            since = now
            tries = 0
            interrupted = 0
            expires = nil
            (reason, report) = (nil, nil)
            started = nil
        }

        /// Keeps how an attempt ended that is not the last; of many, the last.
        mutating func keep(
            _ outcome: AttemptRecord.Outcome, _ reason: String?, _ report: DeliveryReport, at end: Timestamp
        ) {
            if former.count >= DeliveryRecord.keptAttempts {
                former.removeFirst(former.count - DeliveryRecord.keptAttempts + 1)
            }
            former.append(record(outcome, reason, report, at: end))
        }

        private func record(
            _ outcome: AttemptRecord.Outcome, _ reason: String?, _ report: DeliveryReport, at end: Timestamp
        ) -> AttemptRecord {
            AttemptRecord(
                number: attempt, started: started ?? end, ended: end, outcome: outcome, reason: reason, report: report)
        }
    }
}
