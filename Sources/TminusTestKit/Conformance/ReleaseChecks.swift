import TminusCore

extension StoreConformance {
    static let releaseChecks: [Check] = [
        Check("a claim that has expired is handed out again with the same id and the next attempt") { subject in
            try await subject.advance([try .fixture()])
            let first = try await subject.claimOne(owner: "former")
            let later = try await subject.reopened()
            try expectEqual(
                try await later.store.releaseClaims(.expired, owner: "me", now: .fixture(160)), 1, "released")
            let second = try await later.claimOne(at: 160)
            try expectEqual(second.id, first.id, "id")
            try expectEqual(second.attempt, 2, "attempt")
            try expect(second.claim.token != first.claim.token, "the token must be a new one")
        },
        Check("a claim is void from its end on, not before") { subject in
            try await subject.advance([try .fixture()])
            _ = try await subject.claimOne(owner: "former")
            let before = Timestamp.fixture(160).advanced(by: .nanoseconds(-1))
            try expectEqual(try await subject.store.releaseClaims(.expired, owner: "me", now: before), 0, "released")
            try expectEqual(
                try await subject.store.releaseClaims(.expired, owner: "me", now: .fixture(160)), 1, "released")
        },
        Check("claims of the caller itself are never released") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne(owner: "me")
            for which in [ClaimRelease.expired, .ofFormerOwners] {
                let count = try await subject.store.releaseClaims(which, owner: "me", now: .fixture(10_000))
                try expectEqual(count, 0, "released")
            }
            try expectEqual(try await subject.settle(claim, .delivered).count, 1, "ended")
        },
        Check("all claims of former owners can be released before their end") { subject in
            try await subject.advance(try (0..<3).map { try .fixture("t\($0)") })
            _ = try await subject.claim(limit: 1, owner: "me")
            _ = try await subject.claim(limit: 1, owner: "former")
            _ = try await subject.claim(limit: 1, owner: "earlier")
            try expectEqual(
                try await subject.store.releaseClaims(.ofFormerOwners, owner: "me", now: .fixture(100)), 2, "released")
            try expectEqual(try await subject.claim().count, 2, "claimed")
        },
        Check("a released delivery keeps its place in the queue") { subject in
            try await subject.advance([try .fixture("old", at: 10)])
            _ = try await subject.claimOne(owner: "former")
            try await subject.advance([try .fixture("new", at: 90)])
            _ = try await subject.store.releaseClaims(.ofFormerOwners, owner: "me", now: .fixture(200))
            try expectEqual(try await subject.nextAttempt(), .fixture(10), "next attempt")
            try expectEqual(
                try await subject.claim(at: 200).map(\.definition.rawValue), ["old", "new"], "order")
        },
        Check("a claim that was released cannot be settled") { subject in
            try await subject.advance([try .fixture()])
            let lost = try await subject.claimOne(owner: "former")
            _ = try await subject.store.releaseClaims(.expired, owner: "me", now: .fixture(1_000))
            try expectEqual(try await subject.settle(lost, .delivered), [], "ended while pending")
            _ = try await subject.claimOne(at: 1_000)
            try expectEqual(try await subject.settle(lost, .dead(reason: "no")), [], "ended while claimed anew")
        },
        Check("release leaves alone what is pending or settled") { subject in
            try await subject.advance([try .fixture("a", at: 1), try .fixture("b", at: 2)])
            let claims = try await subject.claim(limit: 1, owner: "former")
            for claim in claims { try await subject.settle(claim, .delivered) }
            try expectEqual(
                try await subject.store.releaseClaims(.ofFormerOwners, owner: "me", now: .fixture(100)), 0, "released")
        },
    ]
}
