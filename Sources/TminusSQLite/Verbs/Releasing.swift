import TminusCore

extension Transaction {
    /// Releases claims and says how many. A delivery that was withdrawn meanwhile is skipped.
    func release(_ which: ClaimRelease, owner: String, now: Timestamp) throws -> Int {
        let statements: ReleaseStatements =
            switch which {
            case .expired: .expired
            case .ofFormerOwners: .ofOthers
            }
        guard try run(statements.record, owner, now) > 0 else { return 0 }
        var withdrawn: [(number: Int64, reason: String)] = []
        var endings = Endings()
        try forEach(statements.withdrawn, owner, now) { row in
            withdrawn.append((try row.number(0), try row.text(3)))
            endings.chains.insert(Chain(definition: try row.text(1), sink: try row.text(2)))
        }
        let count = try run(statements.release, owner, now)
        for (number, reason) in withdrawn { _ = try endWaiting(number, as: .skipped, reason, at: now) }
        try promote(&endings)
        return count
    }
}
