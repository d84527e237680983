import TminusCore

extension StoreConformance {
    static let expiryChecks: [Check] = [
        Check("the last settled delivery of an expiry reports its end once") { store in
            try await store.write(.fixture(to: ["a", "b", "c"]))
            let claims = try await store.expectClaims("tea", "tea", "tea")
            try expectEqual(try await store.settle(claims[0]), [], "ended by the first")
            try expectEqual(try await store.settle(claims[1], .dead(reason: "no")), [], "ended by the second")
            try expectEqual(try await store.settle(claims[2]), [.fixture(at: 100)], "ended by the last")
        },
        Check("deliveries of an expiry that are settled together report its end once") { store in
            try await store.write(.fixture(to: ["a", "b"]))
            let settlements = try await store.claim().map { Settlement.fixture($0) }
            try expectEqual(try await store.settle(settlements), [.fixture(at: 100)], "ended")
        },
        Check("an expiry that no schedule waits for reports no end") { store in
            try await store.write(
                [.fixture(at: 90), .fixture("bare", at: 90), .fixture("older", at: 80)],
                schedules: [
                    .fixture(deadline: 90), .fixture("older", waitingFor: 90), .fixture("other", waitingFor: 90),
                ])
            for claim in try await store.expectClaims("older", "tea", "bare") {
                try expectEqual(try await store.settle(claim), [], "ended")
            }
        },
        Check("a retry leaves its expiry open") { store in
            let claim = try await store.claimed()
            try expectEqual(try await store.settle(claim, .busy()), [], "ended by a retry")
            try expectEqual(try await store.settle(try await store.claimOne()).count, 1, "ended by the delivery")
        },
        Check("a reminder reports no end") { store in
            let claim = try await store.claimed(.fixture("tea", .reminder(CalendarSpan(nanoseconds: 1), .after)))
            try expectEqual(try await store.settle(claim), [], "ended")
        },
        Check("an expiry ends with its snoozed one, whichever is settled last") { store in
            try await store.write(
                .fixture(at: 90, to: ["a"]), .fixture(at: 90, .snoozed(until: .fixture(95)), to: ["a", "b"]))
            var ended: [[EndedExpiry]] = []
            // The second one to the sink 'a' waits for the first.
            for count in [2, 1] {
                let claims = try await store.claim()
                try expectEqual(claims.count, count, "claimed")
                for claim in claims {
                    try expectEqual(try await store.reopened().openExpiries(), [.fixture(at: 90)], "open")
                    ended.append(try await store.settle(claim))
                }
            }
            try expectEqual(ended, [[], [], [.fixture(at: 90)]], "ended")
            try expectEqual(try await store.openExpiries(), [], "open when all is settled")
        },
        Check("a snapshot names the expiry that an acting schedule waits for") { store in
            try await store.write(.fixture(at: 90, to: ["a", "b"]))
            try expectEqual(try await store.openExpiries(), [.fixture(at: 90)], "open while pending")
            let claims = try await store.claim()
            try expectEqual(try await store.reopened().openExpiries(), [.fixture(at: 90)], "open while claimed")
            try await store.settle(claims.map { .fixture($0) })
            try expectEqual(try await store.reopened().openExpiries(), [], "open when all is settled")
        },
        Check("a snapshot leaves out open expiries for which no schedule waits") { store in
            try await store.write(
                [
                    .fixture("armed", at: 90), .fixture("older", at: 80),
                    .fixture("reminded", at: 90, .reminder(CalendarSpan(nanoseconds: 1), .before)),
                ],
                schedules: [
                    .fixture("armed", deadline: 90), .fixture("older", waitingFor: 90),
                    .fixture("reminded", waitingFor: 90), .fixture("bare", phase: .acting),
                ])
            try expectEqual(try await store.openExpiries(), [], "open expiries")
        },
    ]
}
