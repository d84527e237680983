import FoundationEssentials
import GRDB
import TminusCore

/// The end of an attempt with its values in their stored form: an object, because it is large and handed on.
final class PreparedSettlement: Sendable {
    /// The end.
    let settlement: Settlement
    /// Which delivery its claim is of, and that one's id as stored; nil if its token is none.
    let claim: (firing: Int64, delivery: Int64, id: String)?
    /// What the other end said, as stored.
    let report: String?
    /// What is told because of it.
    let firings: [PreparedFiring]

    /// Encodes what is stored as text.
    init(_ settlement: Settlement) throws {
        self.settlement = settlement
        claim = ClaimTokens.numbers(of: settlement.token).map { ($0.firing, $0.delivery, settlement.id.rawValue) }
        report = settlement.report.flatMap(ReportText.encode)
        firings = try settlement.firings.map { try PreparedFiring($0) }
    }
}

extension Transaction {
    /// Ends claims that are still held, and finds the expiries of which nothing is open any more.
    func settle(_ settlements: [PreparedSettlement], now: Timestamp) throws -> [EndedExpiry] {
        // What is told because of one settlement may have to wait for the delivery of another.
        let promotes =
            try settlements.contains { !$0.firings.isEmpty } || value(Int64.self, DeliveryStatements.hasQueued) != nil
        let writer = try SettlementWriter(self, promotes: promotes)
        var touched: [Int64] = []
        for settlement in settlements { try writer.write(settlement, now: now, touched: &touched) }
        return try endedExpiries(touched)
    }

    /// Those of the firings that are expiries with no open delivery for which a schedule waits, each once.
    func endedExpiries(_ firings: [Int64]) throws -> [EndedExpiry] {
        guard !firings.isEmpty, try value(Int64.self, ScheduleStatements.hasActing) != nil else { return [] }
        let statement = try QuickStatement(FiringStatements.endedExpiry, self)
        var seen: Set<Int64> = []
        var ended: [EndedExpiry] = []
        for firing in firings where firings.count == 1 || seen.insert(firing).inserted {
            statement.bind(1, firing)
            try statement.each { row in
                // Nobody waits for a definition that cannot be.
                guard let id = DefinitionID(try row.text(0)) else { return }
                ended.append(EndedExpiry(definition: id, occurrence: try row.instant(1)))
            }
        }
        return ended
    }

    /// Gives claims back.
    func release(_ which: ClaimRelease, owner: String, now: Timestamp) throws -> ReleasedClaims {
        switch which {
        case .expired:
            let found = try run(DeliveryStatements.recordExpired, [now.nanoseconds, owner, now.nanoseconds])
            guard found > 0 else { return ReleasedClaims() }
            return ReleasedClaims(count: try run(DeliveryStatements.releaseExpired, [owner, now.nanoseconds]))
        case .ofFormerOwners:
            let setAside = try setAside(claimsOfOthersThan: owner, now: now)
            let found = try run(DeliveryStatements.recordOthers, [now.nanoseconds, owner])
            let count = found > 0 ? try run(DeliveryStatements.releaseOthers, [owner]) : 0
            return ReleasedClaims(count: count, setAside: setAside)
        }
    }

    /// Gives up what former owners attempted when the process ended, time after time.
    private func setAside(claimsOfOthersThan owner: String, now: Timestamp) throws -> [DeliveryRecord] {
        var found: [(number: Int64, sink: String, definition: String)] = []
        try forEach(DeliveryStatements.interruptedOften, [owner, InterruptedAttempts.limit - 1]) { row in
            found.append((try row.value(0), try row.value(1), try row.value(2)))
        }
        guard !found.isEmpty else { return [] }
        for delivery in found {
            try run(
                DeliveryStatements.setAside, [InterruptedAttempts.reason, now.nanoseconds, delivery.number])
            try run(DeliveryStatements.promote, [delivery.sink, delivery.definition])
        }
        return try deliveries(DeliveryFilter(limit: found.count), numbers: found.map(\.number))
    }

    /// The tokens of claims that are to be given up for a later occurrence.
    func replacedClaims(owner: String) throws -> [String] {
        var tokens: [String] = []
        try forEach(DeliveryStatements.replaced, [owner]) { row in tokens.append(try row.value(0)) }
        return tokens
    }

    /// Moves what waits along with the clock, and lets go what was written at an instant that is yet to come.
    func clockWasSet(by step: Duration, now: Timestamp) throws {
        if step == .zero {
            try run(DeliveryStatements.endWaitsFromTheFuture, [now.nanoseconds])
        } else {
            try run(DeliveryStatements.shiftWaits, [step.nanoseconds])
            if step < .zero { try run(DeliveryStatements.endFirstWaits, [now.nanoseconds]) }
        }
    }

    /// Keeps an attempt, and forgets the oldest of many.
    func record(
        _ delivery: Int64, _ number: Int, started: Int64?, ended: Timestamp, _ outcome: AttemptRecord.Outcome,
        _ reason: String?, _ report: String?
    ) throws {
        try run(
            AttemptStatements.insert,
            [
                delivery, number, started ?? ended.nanoseconds, ended.nanoseconds, outcome.rawValue, reason, report,
            ])
        if number > DeliveryRecord.keptAttempts {
            try run(AttemptStatements.trim, [delivery, number - DeliveryRecord.keptAttempts])
        }
    }
}
