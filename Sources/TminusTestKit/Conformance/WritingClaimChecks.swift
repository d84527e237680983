import TminusCore

/// What may be claimed as it is written. A store may leave it to a claim, so each check takes both together.
extension StoreConformance {
    static let writingClaimChecks: [Check] = [
        Check("what is claimed as it is written is the same that a claim hands out") { subject in
            var firing = try Firing.fixture("a", at: 90, to: ["chat", "mail"], overlap: .allow)
            firing.onFailure = [SinkKey("alarm")]
            firing.expires = .fixture(500)
            let plain = try subject.other()
            try await plain.store.advance(Advance(firings: [firing], sinks: [.fixture("chat")]), now: .fixture(100))
            let claimed = try await subject.claimWriting([firing], sinks: [.fixture("chat")])
            try expectEqual(claimed.sorted, try await plain.claim().sorted, "claimed")
            try expectEqual(Set(claimed.map(\.token)).count, 2, "tokens")
            try expectEqual(try await subject.claim(), [], "claimed again")
        },
        Check("of what is written no sink gets more than its room, and the rest waits in its order") { subject in
            let firings = try (0..<6).map { try Firing.fixture("t\($0)", at: 90 + $0, to: [$0 % 2 == 0 ? "a" : "b"]) }
            let (_, claimed) = try await subject.store.advance(
                Advance(firings: firings), andClaim: .fixture(room: [SinkKey("a"): 1, SinkKey("b"): 2], otherRoom: 0),
                now: .fixture(100))
            let counts = Dictionary(grouping: claimed, by: \.sink.rawValue).mapValues(\.count)
            try expectEqual(counts["a", default: 0] <= 1 && counts["b", default: 0] <= 2, true, "within the room")
            let rest = try await subject.claim()
            try expectEqual(claimed.count + rest.count, 6, "deliveries")
            let order = (claimed + rest).filter { $0.sink == SinkKey("a") }.map(\.definition.rawValue)
            try expectEqual(order, ["t0", "t2", "t4"], "order")
        },
        Check("no more than the limit are claimed of what is written") { subject in
            let firings = try (0..<6).map { try Firing.fixture("t\($0)") }
            let (_, claimed) = try await subject.store.advance(
                Advance(firings: firings), andClaim: .fixture(limit: 4), now: .fixture(100))
            try expectEqual(claimed.count <= 4, true, "within the limit")
            try expectEqual(claimed.count + (try await subject.claim().count), 6, "deliveries")
        },
        Check("what waits for a sink goes before what is written") { subject in
            try await subject.advance([try .fixture("old", at: 50), try .fixture("older", at: 40)])
            let (_, claimed) = try await subject.store.advance(
                Advance(firings: [try .fixture("new", at: 99)]), andClaim: .fixture(room: [SinkKey("chat"): 1]),
                now: .fixture(100))
            let order = try await claimed + subject.claim()
            try expectEqual(order.map(\.definition.rawValue), ["older", "old", "new"], "order")
        },
        Check("what waits for its slot or behind another is not claimed as it is written") { subject in
            var later = try Firing.fixture("later", at: 10)
            later.notBefore = .fixture(150)
            let firings = [later, try Firing.fixture("twice", at: 90), try Firing.fixture("twice", at: 95)]
            let claimed = try await subject.claimWriting(firings)
            try expectEqual(claimed.map(\.occurrence), [.fixture(90)], "claimed")
            try await subject.settle(try require(claimed.first, "nothing claimed"), .delivered)
            let next = try await subject.claim(at: 150).map(\.occurrence)
            try expectEqual(next.sorted(), [.fixture(10), .fixture(95)], "claimed later")
        },
        Check("writing the same advance again claims nothing again, and leaves the claim alone") { subject in
            let firing = try Firing.fixture()
            let claimed = try await subject.claimWriting([firing])
            try expectEqual(claimed.count, 1, "claimed")
            try expectEqual(try await subject.claimWriting([firing], at: 110), [], "claimed again")
            try await subject.settle(try require(claimed.first, "nothing claimed"), .delivered, at: 120)
            try expectEqual(try await subject.states(), [.delivered], "states")
        },
        Check("of many that are written at once the ones that are there already are left alone") { subject in
            let firings = try (0..<30).map { try Firing.fixture("t\($0)", at: 60 + $0) }
            let there = [3, 11, 12, 29].map { firings[$0] }
            let before = try await subject.claimWriting(there)
            try await subject.settle(try require(before.first, "nothing claimed"), .delivered)
            let claimed = try await subject.claimWriting(firings + [firings[5], firings[3]])
            let rest = Set(firings.map(\.definition)).subtracting(there.map(\.definition))
            try expectEqual(claimed.count, 26, "claimed")
            try expectEqual(Set(claimed.map(\.definition)), rest, "whose")
            for claim in claimed + before.dropFirst() { try await subject.settle(claim, .delivered) }
            let delivered = try await subject.store.deliveries(DeliveryFilter(states: [.delivered], limit: 100))
            try expectEqual(delivered.count, 30, "delivered")
            for claim in claimed {
                let record = try await subject.store.deliveries(DeliveryFilter(ids: [claim.id])).first
                // Of its firing: by that a wrong number would show.
                try expectEqual(record?.due, claim.due, "due")
            }
        },
        Check("many that are written at once for one definition and sink go one by one, in their order") { subject in
            let firings = try (0..<10).map { try Firing.fixture("tea", at: 80 + $0) }
            var claimed = try await subject.claimWriting(firings)
            for number in 0..<10 {
                try expectEqual(claimed.map(\.occurrence), [.fixture(80 + Int64(number))], "claimed")
                try await subject.settle(try require(claimed.first, "nothing claimed"), .delivered)
                claimed = try await subject.claim()
            }
            try expectEqual(claimed, [], "claimed")
        },
        Check("a claim of what was written is released as any other, and the attempt that it was shows") { subject in
            _ = try await subject.claimWriting([.fixture()])
            let after = try await subject.reopened()
            try expectEqual(
                try await after.store.releaseClaims(.ofFormerOwners, owner: "next", now: .fixture(110)).count, 1,
                "released")
            let again = try await after.claimOne(at: 110, owner: "next")
            try expectEqual(again.attempt, 2, "attempt")
            try expectEqual(try await after.record().log.map(\.outcome), [.interrupted], "attempts")
        },
        Check("deliveries that are written after claimed ones have numbers of their own") { subject in
            _ = try await subject.claimWriting([.fixture("a")])
            try await subject.advance([try .fixture("b")])
            let mixed = try (0..<4).map { try Firing.fixture("m\($0)", to: [$0 % 2 == 0 ? "chat" : "later"]) }
            _ = try await subject.store.advance(
                Advance(firings: mixed), andClaim: .fixture(room: [SinkKey("chat"): 9], otherRoom: 0),
                now: .fixture(100))
            let records = try await subject.store.deliveries(DeliveryFilter(limit: 10))
            try expectEqual(
                records.map(\.definition.rawValue), ["m3", "m2", "m1", "m0", "b", "a"], "the newest first")
        },
    ]
}

extension ClaimRequest {
    /// A wish of `me` for claims that end 60 s after the usual now.
    fileprivate static func fixture(
        limit: Int = 100, room: [SinkKey: Int] = [:], otherRoom: Int = 100
    ) -> ClaimRequest {
        ClaimRequest(owner: "me", limit: limit, room: room, otherRoom: otherRoom, until: .fixture(160))
    }
}

extension StoreUnderTest {
    /// Writes firings and claims what can be claimed of them, by the same verb or by a claim that follows.
    fileprivate func claimWriting(
        _ firings: [Firing], sinks: [SinkSpec]? = nil, at now: Int64 = 100
    ) async throws -> [ClaimedDelivery] {
        let advance = Advance(firings: firings, sinks: sinks)
        let (_, claimed) = try await store.advance(advance, andClaim: .fixture(), now: .fixture(now))
        return try await claimed + claim(at: now)
    }

    /// Another, empty store to compare with.
    fileprivate func other() throws -> StoreUnderTest { StoreUnderTest(store: MemoryStore(), reopen: nil) }
}

extension [ClaimedDelivery] {
    /// By sink, and without tokens.
    fileprivate var sorted: [ClaimedDelivery] {
        map(\.withoutToken).sorted { $0.sink.rawValue < $1.sink.rawValue }
    }
}
