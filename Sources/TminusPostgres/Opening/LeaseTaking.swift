import TminusCore
import TminusStorage

/// How a leader comes to its lease: it takes it, or waits for the end of that of another daemon.
struct LeaseTaking {
    let holder: Fence.Holder
    let lease: Duration
    let use: PostgresStore.Use
    let wait: LeaseWait
    let link: DatabaseLink
    let clock: DatabaseClock

    private var address: String { link.address.shown }

    /// Waits for the lease, and takes it.
    func take() throws -> Fence {
        var seen: Int64?
        // Until when a leader whose lease is over may have it back, because the database did not answer that one either.
        var leadersTime: ContinuousClock.Instant?
        // Since when this machine lets one with newer zone data go first.
        var givesWaySince: ContinuousClock.Instant?
        // One lease, and time for the answer: then it is over, or was renewed.
        let limit = ContinuousClock.now + lease + .seconds(5)
        while true {
            var rest: Duration?
            switch try tryToTake(leadersTime, givesWaySince) {
            case .taken(let fence): return fence
            case .givesWay: givesWaySince = givesWaySince ?? .now
            case .held(let rival):
                guard wait.isEndless || (seen ?? rival.end == rival.end && ContinuousClock.now < limit) else {
                    throw StoreError(
                        .locked,
                        """
                        \(address): another daemon uses this database (\(rival.process)); stop that one, or give this one \
                        another database
                        """)
                }
                wait.note(.held(by: rival.process))
                (seen, givesWaySince) = (rival.end, nil)
                rest = rival.rest
            // A leader renews at every third of its lease.
            case nil: leadersTime = .now + lease / 2
            }
            try wait.pause(rest)
        }
    }

    /// Takes the lease if nobody has it; nil if the database does not answer, and an endless wait outlasts that.
    private func tryToTake(
        _ leadersTime: ContinuousClock.Instant?, _ givesWaySince: ContinuousClock.Instant?
    ) throws -> Fence.Taking? {
        do {
            let (rival, zoneData) = try link.transaction(.reading) { transaction in
                (try Fence.rival(of: holder, transaction), try transaction.text(FileStatements.zoneData))
            }
            let isLeadersTime = leadersTime.map { ContinuousClock.now < $0 } ?? false
            if let rival, rival.isLiving || isLeadersTime { return .held(by: rival) }
            // Two versions can place one occurrence at two instants.
            if wait.isEndless, let zoneData, let own = wait.zoneData(), own < zoneData {
                wait.note(.olderZoneData(own, than: zoneData))
                guard let givesWaySince, givesWaySince.duration(to: .now) > lease / 2 else { return .givesWay }
            }
            try wait.requireGoing()
            try clock.measure(over: link)
            return try link.transaction(.writing(.flushed)) { try take($0) }
        } catch let error where wait.isEndless && !(error is CancellationError) {
            let shown = StoreError(error, address: address)
            switch shown.kind {
            case .damaged, .tooNew, .tooOld, .locked: throw error
            case .full, .readOnly, .uncertain, .other: wait.note(.unreachable(shown.message))
            }
            return nil
        }
    }

    private func take(_ transaction: Transaction) throws -> Fence.Taking {
        guard use != .daemon else {
            // A newer tminus may have changed the schema during the wait.
            try Migrations.apply(link.schema, transaction)
            return try Fence.take(holder, for: lease, isShared: true, transaction)
        }
        // A follower that writes at this moment is seen after its turn.
        try transaction.post(Fence.turn)
        if let follower = try Membership.anyLiving(transaction) {
            throw StoreError(
                .locked, "\(address): another daemon delivers from this database (\(follower)); stop that one")
        }
        return try Fence.take(holder, for: lease, isShared: false, transaction)
    }
}
