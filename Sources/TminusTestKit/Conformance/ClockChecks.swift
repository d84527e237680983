import TminusCore

extension StoreConformance {
    static let clockChecks: [Check] = [
        Check("when the clock is set, waiting deliveries move with it") { subject in
            try await subject.advance([try .fixture()], at: 1_000)
            try await subject.settle(
                try await subject.claimOne(at: 1_000), .retry(at: .fixture(1_300), reason: "busy"), at: 1_000)
            try await subject.commit(Commit(clockStep: .seconds(-900)), at: 100)
            try expectEqual(try await subject.claim(at: 399), [], "claimed")
            try expectEqual(try await subject.claimOne(at: 400).claim.since, .fixture(100), "since")
        },
        Check("a delivery that was never tried does not wait longer when the clock is set") { subject in
            try await subject.advance([try .fixture("a")], at: 1_000)
            try await subject.commit(Commit(clockStep: .seconds(900)), at: 1_000)
            try expectEqual(try await subject.claim(at: 1_000).count, 1, "claimed after a step forwards")
            var missed = try Firing.fixture("b")
            missed.notBefore = .fixture(1_010)
            try await subject.advance([missed], at: 1_000)
            try await subject.commit(Commit(clockStep: .seconds(-900)), at: 100)
            try expectEqual(try await subject.claim(at: 100).count, 1, "claimed after a step back")
        },
        Check("after a start, nothing waits longer because the clock was set back meanwhile") { subject in
            try await subject.advance([try .fixture("retried"), try .fixture("patient", to: ["b"])], at: 1_000)
            for claim in try await subject.claim(at: 1_000) {
                try await subject.settle(claim, .retry(at: .fixture(1_300), reason: "busy"), at: 1_000)
            }
            let later = try await subject.reopened()
            try await later.store.releaseFutureWaits(now: .fixture(1_100))
            try expectEqual(try await later.claim(at: 1_100), [], "claimed though the clock goes right")
            try await later.store.releaseFutureWaits(now: .fixture(500))
            try expectEqual(try await later.claim(at: 500).count, 2, "claimed")
        },
    ]
}
