internal import DequeModule

/// One revision of one sink in use: what waits for it, how much of it runs, and how much may be claimed for it.
///
/// An edited sink gets a lane of its own; the former lane ends with its last attempt, so what hangs there does not block the new one.
struct SinkLane: Sendable {
    struct ID: Sendable, Hashable {
        var key: SinkKey
        var revision: String
    }

    /// A lane claims ahead as much as it ends in about this time: nothing, if one attempt takes longer.
    static let aheadTime = Duration.milliseconds(50)
    /// How many times its own concurrency a lane may have ahead, and how many deliveries at the most.
    static let aheadFactor = 1_024
    static let aheadLimit = 8_192
    /// A lane that ends so many in ``aheadTime`` is quick. It may have two commits of firings ahead, so that it is busy while the
    /// next one is written.
    static let quickLimit = 512
    static let quickAhead = 2 * EngineState.commitSize

    let id: ID
    let sink: ConfiguredSink
    /// What people read of the sink.
    let title: String
    /// The places of the sink and of its kind in ``DispatchFigures``.
    let slots: (sink: Int, kind: Int)
    /// Claimed deliveries that have not begun, in their order.
    private(set) var waiting: Deque<Delivery> = []
    /// How many attempts run.
    private(set) var running = 0
    /// Whether the store has more for the lane than it had room for, as far as the last claim tells.
    var hasBacklog = false
    /// How many attempts like the last one follow each other in ``aheadTime``.
    private var pace = 0
    /// When the last attempt ended, in steady time.
    private var lastEnd: Timestamp?

    init(_ id: ID, _ sink: ConfiguredSink, title: String, slots: (sink: Int, kind: Int) = (0, 0)) {
        self.id = id
        self.sink = sink
        self.title = title
        self.slots = slots
    }

    /// How many attempts may run at the same time.
    var limit: Int { sink.sink.maxConcurrent }
    /// How many deliveries are claimed and not over.
    var inHand: Int { waiting.count + running }
    /// How many deliveries it may hold beyond those that run, so that it stays busy while the store is asked.
    var ahead: Int {
        guard sink.policy.rateLimit == nil else { return 0 }
        let ended = min(pace * limit, Self.aheadLimit)
        return ended < Self.quickLimit ? ended : max(ended, Self.quickAhead)
    }

    /// While a quick lane has no room for another commit, until when that is believed, in steady time; else nil.
    var saturatedUntil: Timestamp? {
        let isFull = hasBacklog || limit + ahead - inHand < EngineState.commitSize
        return ahead >= Self.quickAhead && isFull ? lastEnd?.advanced(by: Self.aheadTime) : nil
    }

    /// Adds a claimed delivery behind those that wait.
    mutating func append(_ delivery: Delivery) { waiting.append(delivery) }

    /// Takes the first waiting delivery out; nil if none waits.
    mutating func takeFirst() -> Delivery? { waiting.popFirst() }

    /// Records that an attempt began.
    mutating func begin() { running += 1 }

    /// Records that an attempt ended.
    mutating func ended(after took: Duration, at steady: Timestamp) {
        running -= 1
        pace = Int(min(Int64(Self.aheadFactor), Self.aheadTime.nanoseconds / max(1, took.nanoseconds)))
        lastEnd = steady
    }

    /// Takes waiting deliveries out.
    mutating func removeWaiting(where isWanted: (Delivery) -> Bool) -> [Delivery] {
        var removed: [Delivery] = []
        waiting.removeAll { delivery in
            guard isWanted(delivery) else { return false }
            removed.append(delivery)
            return true
        }
        return removed
    }

    /// Whether deliveries wait although the lane is slow: its last attempt took long, or none has ended since `time`.
    func isStalled(since time: Timestamp) -> Bool {
        !waiting.isEmpty && (pace == 0 || lastEnd.map { $0 < time } ?? true)
    }

    /// Claims nothing ahead until attempts are quick again.
    mutating func slowDown() { pace = 0 }
}
