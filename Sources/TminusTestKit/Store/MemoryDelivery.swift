public import TminusCore

/// A delivery in a ``MemoryStore``.
public struct MemoryDelivery: Sendable, Hashable {
    /// The firing.
    public let firing: Firing
    /// Where it stands.
    public internal(set) var state = DeliveryState.queued
    /// Why it is not delivered, if there is a reason.
    public internal(set) var reason: String?
    /// When the next attempt may begin.
    public internal(set) var nextAttempt: Timestamp
    /// As it was last handed out.
    public internal(set) var delivery: Delivery

    /// Counts up as deliveries are written.
    let number: Int
    let created: Timestamp
    var settled: Timestamp?
    /// When the last attempt began.
    var started: Timestamp?
    var log: [AttemptRecord] = []
    /// How many attempts in a row the end of the process has cut off.
    var interrupted = 0
    /// Who holds the claim, while there is one.
    var owner: String?
    var claimedUntil: Timestamp?
    /// Why it was withdrawn while it was claimed.
    var withdrawn: String?

    /// The delivery's id.
    public var id: DeliveryID { delivery.id }
    /// The sink.
    public var sink: SinkKey { delivery.sink }
    /// Whether it is not over.
    public var isOpen: Bool { state.isOpen }
    /// Whether nobody can do anything about it any more.
    var isDone: Bool { state == .delivered || state == .skipped }
    /// Whether it is retried with others, by what became of it until an instant.
    func canBeRetried(since now: Timestamp) -> Bool {
        switch state {
        case .dead, .expired: settled.map { $0 <= now } ?? true
        case .pending: delivery.claim.tries > 0 && nextAttempt > now && started.map { $0 <= now } ?? true
        default: false
        }
    }
    /// Whether it is one attempt short of being set aside.
    var isSuspect: Bool { interrupted >= InterruptedAttempts.limit - 1 }
    var overlap: Overlap { delivery.claim.overlap }
    /// The expiry that it belongs to; nil if it is of another action.
    var expiry: EndedExpiry? {
        delivery.action == .expiry ? EndedExpiry(definition: delivery.definition, occurrence: delivery.occurrence) : nil
    }
    func reason(toWithdraw withdrawal: Withdrawal) -> String? {
        let isTest = if case .test = firing.action { true } else { false }
        return withdrawal.reason(for: delivery.action, isTest: isTest, occurrence: delivery.occurrence)
    }

    /// As the history of its firing has it.
    var part: HistoryEntry.Part { .init(state: state, reason: isOpen ? nil : reason, settled: settled) }

    /// Adds to the log how the current attempt ended.
    mutating func record(
        _ outcome: AttemptRecord.Outcome, _ reason: String?, _ report: DeliveryReport = .empty, at ended: Timestamp
    ) {
        let attempt = AttemptRecord(
            number: delivery.attempt, started: started ?? ended, ended: ended, outcome: outcome, reason: reason,
            report: report)
        log = (log + [attempt]).suffix(DeliveryRecord.keptAttempts)
    }
}
