import TminusCore

extension StoreConformance {
    static let clockChecks: [Check] = [
        Check("when the clock is set, waiting deliveries move with it") { store in
            try await store.write(.fixture(), at: 1_000)
            try await store.settle(try await store.claimOne(at: 1_000), .busy(until: 1_300), at: 1_000)
            try await store.commit(Commit(clockStep: .seconds(-900)), at: 100)
            try await store.expectNoClaims(at: 399)
            try expectEqual(try await store.claimOne(at: 400).claim.since, .fixture(100), "since")
        },
        Check("when the clock is set, the time to retry a delivery that was never tried stays as long") { store in
            try await store.write(.fixture(), at: 1_000)
            try await store.commit(Commit(clockStep: .seconds(-900)), at: 100)
            try expectEqual(try await store.claimOne(at: 100).claim.since, .fixture(100), "since")
        },
        Check("a delivery that was never tried does not wait longer when the clock is set") { store in
            try await store.write(.fixture("a"), at: 1_000)
            try await store.commit(Commit(clockStep: .seconds(900)), at: 1_000)
            try await store.expectClaims("a", at: 1_000)
            try await store.write(.fixture("b", notBefore: 1_010), at: 1_000)
            try await store.commit(Commit(clockStep: .seconds(-900)), at: 100)
            try await store.expectClaims("b", at: 100)
        },
        Check("after a start, nothing waits longer because the clock was set back meanwhile") { store in
            try await store.write(.fixture("retried"), .fixture("patient", to: ["b"]), at: 1_000)
            let claims = try await store.expectClaims("retried", "patient", at: 1_000)
            try await store.settle(claims.map { .fixture($0, .busy(until: 1_300)) }, at: 1_000)
            let later = try await store.reopened()
            try await later.backend.releaseFutureWaits(now: .fixture(1_100))
            try await later.expectNoClaims(at: 1_100)
            try await later.backend.releaseFutureWaits(now: .fixture(500))
            try await later.expectClaims("retried", "patient", at: 500)
        },
        Check("after a start, what went back unattempted does not wait for a clock that was set back") { store in
            try await store.write(.fixture(), at: 500)
            let claim = try await store.claimOne(at: 550)
            try await store.settle(
                claim, .retry(at: .fixture(1_000), reason: FixedReason.stoppedBefore.rawValue), report: nil, at: 1_000)
            let later = try await store.reopened()
            try await later.expectNoClaims(at: 600)
            try await later.backend.releaseFutureWaits(now: .fixture(600))
            _ = try await later.claimOne(at: 600)
        },
    ]
}
