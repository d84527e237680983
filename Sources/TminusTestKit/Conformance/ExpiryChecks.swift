import TminusCore

extension StoreConformance {
    static let expiryChecks: [Check] = [
        Check("the last settled delivery of an expiry reports its end once") { subject in
            try await subject.advance([try .fixture(to: ["a", "b", "c"])])
            let claims = try await subject.claim()
            try expectEqual(claims.count, 3, "claimed")
            let outcomes: [Outcome] = [.delivered, .dead(reason: "no"), .delivered]
            var ended: [[EndedExpiry]] = []
            for (claim, outcome) in zip(claims, outcomes) { ended.append(try await subject.settle(claim, outcome)) }
            let expiry = EndedExpiry(definition: try .fixture("tea"), occurrence: .fixture(100))
            try expectEqual(ended, [[], [], [expiry]], "ended")
        },
        Check("deliveries of an expiry that are settled together report its end once") { subject in
            try await subject.advance([try .fixture(to: ["a", "b"])])
            let settlements = try await subject.claim().map { Settlement.fixture($0, .delivered) }
            try expectEqual(try await subject.settle(settlements).count, 1, "ended")
        },
        Check("an expiry that no schedule waits for reports no end") { subject in
            try await subject.advance(
                [try .fixture(at: 90), try .fixture("bare", at: 90), try .fixture("older", at: 80)],
                schedules: [
                    .fixture(phase: .armed, deadline: 90), .fixture("older", phase: .acting, deadline: 90),
                    .fixture("other", phase: .acting, deadline: 90),
                ])
            for claim in try await subject.claim() {
                try expectEqual(try await subject.settle(claim, .delivered), [], "ended")
            }
        },
        Check("a retry leaves its expiry open") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne()
            let ended = try await subject.settle(claim, .retry(at: .fixture(100), reason: "busy"))
            try expectEqual(ended, [], "ended by a retry")
            let second = try await subject.settle(try await subject.claimOne(), .delivered)
            try expectEqual(second.count, 1, "ended by the delivery")
        },
        Check("a reminder reports no end") { subject in
            try await subject.advance([try .fixture("tea", .reminder(CalendarSpan(nanoseconds: 1), .after))])
            try expectEqual(try await subject.settle(try await subject.claimOne(), .delivered), [], "ended")
        },
        Check("an expiry ends with its snoozed one, whichever is settled last") { subject in
            try await subject.advance(
                [
                    try .fixture(at: 90, to: ["a"]),
                    try .fixture(at: 90, .snoozed(until: .fixture(95)), to: ["a", "b"]),
                ],
                schedules: [.fixture(phase: .acting, deadline: 90)])
            let expiry = EndedExpiry(definition: try .fixture("tea"), occurrence: .fixture(90))
            var ended: [[EndedExpiry]] = []
            // The second one to the sink 'a' waits for the first.
            for count in [2, 1] {
                let claims = try await subject.claim()
                try expectEqual(claims.count, count, "claimed")
                for claim in claims {
                    try expectEqual(try await subject.reopened().store.snapshot().openExpiries, [expiry], "open")
                    ended.append(try await subject.settle(claim, .delivered))
                }
            }
            try expectEqual(ended, [[], [], [expiry]], "ended")
            try expectEqual(try await subject.store.snapshot().openExpiries, [], "open when all is settled")
        },
        Check("a snapshot names the expiry that an acting schedule waits for") { subject in
            try await subject.advance(
                [try .fixture(at: 90, to: ["a", "b"])], schedules: [.fixture(phase: .acting, deadline: 90)])
            let expiry = EndedExpiry(definition: try .fixture("tea"), occurrence: .fixture(90))
            try expectEqual(try await subject.store.snapshot().openExpiries, [expiry], "open while pending")
            let claims = try await subject.claim()
            try expectEqual(try await subject.reopened().store.snapshot().openExpiries, [expiry], "open while claimed")
            for claim in claims { try await subject.settle(claim, .delivered) }
            try expectEqual(try await subject.reopened().store.snapshot().openExpiries, [], "open when all is settled")
        },
        Check("a snapshot leaves out open expiries for which no schedule waits") { subject in
            try await subject.advance(
                [
                    try .fixture("armed", at: 90), try .fixture("older", at: 80),
                    try .fixture("reminded", at: 90, .reminder(CalendarSpan(nanoseconds: 1), .before)),
                ],
                schedules: [
                    .fixture("armed", phase: .armed, deadline: 90), .fixture("older", phase: .acting, deadline: 90),
                    .fixture("reminded", phase: .acting, deadline: 90), .fixture("bare", phase: .acting),
                ])
            try expectEqual(try await subject.store.snapshot().openExpiries, [], "open expiries")
        },
    ]
}
