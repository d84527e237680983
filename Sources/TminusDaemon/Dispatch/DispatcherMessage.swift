internal import TminusCore

/// What a dispatcher may be told.
enum DispatcherMessage: Sendable {
    /// There may be deliveries to claim.
    case work
    /// These were claimed as they were written.
    case claimed([ClaimedDelivery])
    /// These revisions of sinks are in force.
    case sinks([SinkKey: String])
    /// Attempts have ended.
    case ended
    /// What has ended is to be recorded, however little it is.
    case gathered
    /// Take nothing new, and end when what runs has ended.
    case stop
    /// Enough waiting: cancel what still runs.
    case giveUp
}

extension DispatcherMessage: MailboxMessage {
    /// One hint of work is as good as many, and the last word on sinks counts.
    func join(_ waiting: inout [DispatcherMessage]) {
        switch self {
        case .work:
            waiting.removeAll { if case .work = $0 { true } else { false } }
        case .sinks:
            waiting.removeAll { if case .sinks = $0 { true } else { false } }
        case .claimed, .ended, .gathered, .stop, .giveUp:
            break
        }
        waiting.append(self)
    }
}

/// What came of one attempt.
struct AttemptResult: Sendable {
    var outcome: Outcome
    /// What the sink said; nil if it was not asked.
    var report: DeliveryReport?
    var ended: ClockReading
    /// How long it took.
    var took: Duration
}
