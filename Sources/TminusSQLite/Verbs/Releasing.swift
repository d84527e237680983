import GRDB
import TminusCore

extension Transaction {
    /// Releases claims. A delivery that was withdrawn meanwhile is skipped.
    func release(_ which: ClaimRelease, owner: String, now: Timestamp) throws -> ReleasedClaims {
        let (statements, condition): (ReleaseStatements, StatementArguments) =
            switch which {
            case .expired: (.expired, [owner, now.nanoseconds])
            case .ofFormerOwners: (.ofOthers, [owner])
            }
        let setAside = which == .ofFormerOwners ? try setAside(claimsOfOthersThan: owner, now: now) : []
        guard try run(statements.record, [now.nanoseconds] + condition) > 0 else {
            return ReleasedClaims(setAside: setAside)
        }
        var withdrawn: [(number: Int64, reason: String)] = []
        var endings = Endings()
        try forEach(statements.withdrawn, condition) { row in
            withdrawn.append((try row.value(0), try row.value(3)))
            endings.chains.insert(Chain(definition: try row.value(1), sink: try row.value(2)))
        }
        let count = try run(statements.release, condition)
        for (number, reason) in withdrawn { _ = try endWaiting(number, as: .skipped, reason, at: now) }
        try promote(&endings)
        return ReleasedClaims(count: count, setAside: setAside)
    }

    /// Gives up what former owners attempted when the process ended, time after time.
    private func setAside(claimsOfOthersThan owner: String, now: Timestamp) throws -> [DeliveryRecord] {
        var numbers: [Int64] = []
        var endings = Endings()
        try forEach(ReleaseStatements.interruptedOften, [owner, InterruptedAttempts.limit - 1]) { row in
            numbers.append(try row.value(0))
            endings.chains.insert(Chain(definition: try row.value(2), sink: try row.value(1)))
        }
        guard !numbers.isEmpty else { return [] }
        for number in numbers {
            try run(ReleaseStatements.setAside, [InterruptedAttempts.reason, now.nanoseconds, number])
        }
        try promote(&endings)
        return try deliveries(DeliveryFilter(limit: numbers.count), numbers: numbers)
    }
}
