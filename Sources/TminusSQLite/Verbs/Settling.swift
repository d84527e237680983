import FoundationEssentials
import GRDB
import TminusCore

/// The end of an attempt with its values in their stored form.
struct PreparedSettlement: Sendable {
    fileprivate let settlement: Settlement
    fileprivate let report: String?
    fileprivate let firings: [PreparedFiring]

    /// Encodes what is stored as JSON.
    init(_ settlement: Settlement, _ encoder: JSONEncoder) throws {
        self.settlement = settlement
        let report = settlement.report ?? .empty
        self.report = report == .empty ? nil : String(decoding: try encoder.encode(report), as: UTF8.self)
        firings = try settlement.firings.map { try PreparedFiring($0, encoder) }
    }
}

extension Transaction {
    /// Ends claims that are still held, and finds the expiries of which nothing is open any more.
    func settle(_ settlements: [PreparedSettlement], now: Timestamp) throws -> [EndedExpiry] {
        var touched: [Int64] = []
        // What is told because of one settlement may have to wait for the delivery of another.
        let promotes =
            try settlements.contains { !$0.firings.isEmpty } || value(Int64.self, DeliveryStatements.hasQueued) != nil
        for settlement in settlements { touched += try settle(settlement, promotes: promotes, now: now) }
        return try endedExpiries(touched)
    }

    /// Those of the firings that are expiries with no open delivery, each once.
    func endedExpiries(_ firings: [Int64]) throws -> [EndedExpiry] {
        var seen: Set<Int64> = []
        var ended: [EndedExpiry] = []
        for firing in firings where seen.insert(firing).inserted {
            try forEach(FiringStatements.endedExpiry, [firing]) { row in
                // Nobody waits for a definition that cannot be.
                guard let id = DefinitionID(try row.value(0)) else { return }
                ended.append(EndedExpiry(definition: id, occurrence: try row.instant(1)))
            }
        }
        return ended
    }

    /// Gives claims back and says how many.
    func release(_ which: ClaimRelease, owner: String, now: Timestamp) throws -> Int {
        switch which {
        case .expired:
            try run(DeliveryStatements.recordExpired, [now.nanoseconds, owner, now.nanoseconds])
            return try run(DeliveryStatements.releaseExpired, [owner, now.nanoseconds])
        case .ofFormerOwners:
            try run(DeliveryStatements.recordOthers, [now.nanoseconds, owner])
            return try run(DeliveryStatements.releaseOthers, [owner])
        }
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

    /// The firings of which this ended a delivery.
    private func settle(
        _ prepared: PreparedSettlement, promotes: Bool, now: Timestamp
    ) throws -> [Int64] {
        let settlement = prepared.settlement
        var found: Claim?
        try forEach(DeliveryStatements.claimed, [settlement.id.rawValue, settlement.token]) { row in
            found = try Claim(row)
        }
        guard let claim = found else { return [] }
        let ended = settlement.ended ?? now
        let untried = settlement.report == nil ? 1 : 0
        var touched: [Int64] = []
        for firing in prepared.firings { touched += try firing.write(self, now: now) }
        if case .retry(let next, let reason) = settlement.outcome {
            if untried == 0 {
                try record(
                    claim.number, claim.attempt, started: claim.started, ended: ended, .retry, reason, prepared.report)
            }
            try run(DeliveryStatements.postpone, [reason, next.nanoseconds, untried, claim.number])
            return touched
        }
        let (state, reason) = settlement.outcome.end
        try run(
            DeliveryStatements.settle,
            [state.rawValue, reason, prepared.report, ended.nanoseconds, untried, claim.number])
        if promotes { try run(DeliveryStatements.promote, [claim.sink, claim.definition]) }
        return touched + [claim.firing]
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

/// A claimed delivery, as far as its end is concerned.
private struct Claim {
    var number: Int64
    var firing: Int64
    var sink: String
    var definition: String
    var attempt: Int
    var started: Int64?

    init(_ row: Row) throws {
        number = try row.value(0)
        firing = try row.value(1)
        sink = try row.value(2)
        definition = try row.value(3)
        attempt = try row.value(4)
        started = try row.value(5)
    }
}

extension Outcome {
    /// The state of a delivery that ended so, and why. A retry is no end.
    fileprivate var end: (state: DeliveryState, reason: String?) {
        switch self {
        case .delivered: (.delivered, nil)
        case .dead(let reason), .retry(_, let reason): (.dead, reason)
        case .expired(let reason): (.expired, reason)
        case .skipped(let reason): (.skipped, reason)
        }
    }
}
