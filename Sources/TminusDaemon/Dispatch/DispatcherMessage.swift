internal import TminusCore

/// What a dispatcher may be told.
enum DispatcherMessage: Sendable {
    /// There may be deliveries to claim.
    case work
    /// These revisions of sinks are in force.
    case sinks([SinkKey: String])
    /// An attempt has ended.
    case finished(Attempt, AttemptResult)
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
        case .finished, .gathered, .stop, .giveUp:
            break
        }
        waiting.append(self)
    }
}

/// What came of one attempt.
struct AttemptResult: Sendable {
    var outcome: Outcome
    var report: DeliveryReport
    var ended: ClockReading
}

/// One claimed delivery on its way through one sink: an object, because it is large and handed from task to task.
final class Attempt: Sendable {
    let claimed: ClaimedDelivery
    let lane: SinkLane.ID

    init(claimed: ClaimedDelivery, lane: SinkLane.ID) {
        self.claimed = claimed
        self.lane = lane
    }
}
