/// The ends of claimed deliveries that no commit has written, and what is to be told of ends.
struct UnwrittenEnds: Sendable {
    /// An end that a person may want to know of, with the title of the sink.
    typealias Report = (delivery: Delivery, outcome: Outcome, sink: String)

    private let reportsSuccesses: Bool
    private var ends: [UnwrittenEnd] = []
    private var reports: [Report] = []

    /// None yet. `reportsSuccesses`: whether each delivered delivery is reported.
    init(reportsSuccesses: Bool) {
        self.reportsSuccesses = reportsSuccesses
    }

    var isEmpty: Bool { ends.isEmpty }
    var count: Int { ends.count }
    /// The claims that end.
    var tokens: [String] { ends.map(\.settlement.token) }

    /// Adds the end of a delivery.
    ///
    /// - Parameters:
    ///   - title: What people read of the sink.
    ///   - sink: The place of the sink in ``DispatchFigures``.
    ///   - isWithdrawn: Whether the store will not have it tried again.
    mutating func add(
        _ delivery: Delivery, _ outcome: Outcome, report: DeliveryReport?, title: String, sink: Int, isWithdrawn: Bool,
        at reading: ClockReading
    ) {
        let isReported = outcome == .delivered ? reportsSuccesses : report != nil || !outcome.isRetry
        if isReported {
            // The store does not retry a withdrawn delivery, so the log must not announce a retry.
            let reported = isWithdrawn && outcome.isRetry ? .skipped(reason: FixedReason.withdrawn.rawValue) : outcome
            reports.append((delivery, reported, title))
        }
        let settlement = Settlement(delivery, outcome, report: report, sink: title, at: reading.now)
        ends.append(UnwrittenEnd(settlement, of: delivery.definition, setBy: reading.setBy, sink: sink))
    }

    /// Adds the end of a claim that only the store knows.
    mutating func add(lost claim: HeldClaim, sink: Int, at reading: ClockReading) {
        let settlement = Settlement(
            token: claim.token, id: claim.delivery,
            outcome: .retry(at: reading.now, reason: FixedReason.endLost.rawValue), report: nil)
        ends.append(UnwrittenEnd(settlement, of: claim.definition, setBy: reading.setBy, sink: sink))
    }

    /// The definitions of the first `count` ends.
    func definitions(of count: Int) -> [DefinitionID] { ends.prefix(count).map(\.definition) }

    /// What to write. The instants of retries agree with a clock that was set since they were chosen.
    func settlements(at reading: ClockReading) -> [Settlement] { ends.map { $0.settlement(at: reading) } }

    /// The first `count` ends are written. Returns them.
    mutating func written(_ count: Int) -> [UnwrittenEnd] {
        defer { ends.removeFirst(count) }
        return Array(ends.prefix(count))
    }

    /// What is to be told since it was asked last.
    mutating func takeReports() -> [Report] {
        defer { reports = [] }
        return reports
    }
}
