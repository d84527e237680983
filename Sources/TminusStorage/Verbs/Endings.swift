package import TminusCore

/// The ends of deliveries in a transaction that have consequences.
package struct Endings {
    /// The firings with a delivery that ended.
    package var firings: [Int64] = []
    /// The chains in which another delivery may be next.
    package var chains: Set<Chain> = []

    /// No ends.
    package init() {}
}

/// The deliveries of one definition to one sink, which are attempted one after another.
package struct Chain: Hashable {
    /// The definition.
    let definition: String
    /// The sink.
    let sink: String

    /// The chain of a definition and a sink.
    package init(definition: String, sink: String) {
        self.definition = definition
        self.sink = sink
    }
}

extension Transaction {
    /// Whether a delivery is queued behind another; usually none is.
    func hasQueued() throws -> Bool { try number(DeliveryStatements.hasQueued) != nil }

    /// Makes the next delivery of each chain pending, unless one is pending or claimed.
    package func promote(_ endings: inout Endings) throws {
        defer { endings.chains.removeAll() }
        guard !endings.chains.isEmpty, try hasQueued() else { return }
        for chain in endings.chains { try post(DeliveryStatements.promote, chain.sink, chain.definition) }
    }

    /// Ends a delivery if it is queued or pending. Returns whether it was.
    func endWaiting(_ number: Int64, as state: DeliveryState, _ reason: String, at instant: Timestamp) throws -> Bool {
        try run(DeliveryStatements.endWaiting, state.rawValue, reason, instant, number) > 0
    }

    /// The firings that are expiries, have no open delivery, and are awaited by a schedule; each once.
    func endedExpiries(_ firings: [Int64]) throws -> [EndedExpiry] {
        guard !firings.isEmpty, try number(ScheduleStatements.hasActing) != nil else { return [] }
        var ended: [EndedExpiry] = []
        let numbers = Set(firings).sorted().map { [Parameter.number($0)] }
        try runner.forEach(FiringStatements.endedExpiry, numbers) { _, row in
            // No schedule has an invalid id, so none waits for this one.
            guard let id = DefinitionID(try row.text(0)) else { return }
            ended.append(EndedExpiry(definition: id, occurrence: try row.instant(1)))
        }
        return ended
    }

    /// The expiries that have ended and that a schedule still waits for, because another machine ended them.
    package func missedExpiries() throws -> [EndedExpiry] {
        var ended: [EndedExpiry] = []
        try forEach(ScheduleStatements.missedExpiries) { row in
            guard let id = DefinitionID(try row.text(0)), let overrides = try? OverridesText.decode(row.optionalText(2))
            else { return }
            let occurrence = try row.instant(1)
            // A snoozed one comes back.
            if overrides.snooze?.occurrence == occurrence { return }
            ended.append(EndedExpiry(definition: id, occurrence: occurrence))
        }
        return ended
    }
}
