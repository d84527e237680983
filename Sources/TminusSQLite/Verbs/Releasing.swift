import GRDB
import TminusCore

extension Transaction {
    /// Releases claims and says how many. A delivery that was withdrawn meanwhile is skipped.
    func release(_ which: ClaimRelease, owner: String, now: Timestamp) throws -> Int {
        let (statements, condition): (ReleaseStatements, StatementArguments) =
            switch which {
            case .expired: (.expired, [owner, now.nanoseconds])
            case .ofFormerOwners: (.ofOthers, [owner])
            }
        guard try run(statements.record, [now.nanoseconds] + condition) > 0 else { return 0 }
        var withdrawn: [(number: Int64, reason: String)] = []
        var endings = Endings()
        try forEach(statements.withdrawn, condition) { row in
            withdrawn.append((try row.value(0), try row.value(3)))
            endings.chains.insert(Chain(definition: try row.value(1), sink: try row.value(2)))
        }
        let count = try run(statements.release, condition)
        for (number, reason) in withdrawn { _ = try endWaiting(number, as: .skipped, reason, at: now) }
        try promote(&endings)
        return count
    }
}
