package import TminusCore

extension Transaction {
    /// Releases claims. A delivery that was withdrawn meanwhile is skipped.
    package func release(_ statements: ReleaseStatements, owner: String, now: Timestamp) throws -> ReleasedClaims {
        let setAside = try statements.interruptedOften.map { try self.setAside($0, owner: owner, now: now) } ?? []
        guard try run(statements.record, owner, now) > 0 else { return ReleasedClaims(setAside: setAside) }
        var withdrawn: [(number: Int64, reason: String)] = []
        var endings = Endings()
        try forEach(statements.withdrawn, owner, now) { row in
            withdrawn.append((try row.number(0), try row.text(3)))
            endings.chains.insert(Chain(definition: try row.text(1), sink: try row.text(2)))
        }
        let count = try run(statements.release, owner, now)
        for (number, reason) in withdrawn { _ = try endWaiting(number, as: .skipped, reason, at: now) }
        try promote(&endings)
        return ReleasedClaims(count: count, setAside: setAside)
    }

    /// Marks deliveries as dead whose attempts too often ended with the process of a former owner.
    private func setAside(_ often: String, owner: String, now: Timestamp) throws -> [DeliveryRecord] {
        var numbers: [Int64] = []
        var endings = Endings()
        try forEach(often, owner, InterruptedAttempts.limit - 1) { row in
            numbers.append(try row.number(0))
            endings.chains.insert(Chain(definition: try row.text(2), sink: try row.text(1)))
        }
        guard !numbers.isEmpty else { return [] }
        for number in numbers {
            try post(ReleaseStatements.setAside, InterruptedAttempts.reason, now, number)
        }
        try promote(&endings)
        return try deliveries(DeliveryFilter(limit: numbers.count), numbers: numbers)
    }
}
