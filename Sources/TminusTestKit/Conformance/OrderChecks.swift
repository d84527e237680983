import TminusCore

extension StoreConformance {
    static let orderChecks: [Check] = [
        Check("of one definition to one sink one delivery runs at a time, in the order of the writing") { subject in
            try await subject.advance([try .fixture(at: 90), try .fixture(at: 95)])
            let first = try await subject.claimOne()
            try expectEqual(first.due, .fixture(90), "due")
            try expectEqual(try await subject.states(), [.claimed, .queued], "states")
            try await subject.settle(first, .delivered)
            try expectEqual(try await subject.claimOne().due, .fixture(95), "due")
        },
        Check("what is settled lets the next have its turn in the claim that goes with it") { subject in
            try await subject.advance(
                [try .fixture(at: 90), try .fixture(at: 95)], schedules: [.fixture(phase: .acting, deadline: 90)])
            let first = try await subject.claimOne()
            let settlement = Settlement(token: first.token, id: first.id, outcome: .delivered)
            let request = ClaimRequest(owner: "me", limit: 10, otherRoom: 10, until: .fixture(160))
            let both = try await subject.store.settle([settlement], andClaim: request, now: .fixture(100))
            try expectEqual(
                both.ended, [EndedExpiry(definition: try .fixture("tea"), occurrence: .fixture(90))], "ended")
            try expectEqual(both.claimed.map(\.due), [.fixture(95)], "due")
            let again = try await subject.store.settle([settlement], andClaim: request, now: .fixture(100))
            try expectEqual(again.ended.count + again.claimed.count, 0, "ended and claimed again")
        },
        Check("what gets its turn by a settlement and is due later is told of with the claim") { subject in
            var later = try Firing.fixture(at: 95)
            later.notBefore = .fixture(500)
            try await subject.advance([try .fixture(at: 90), later, try .fixture("other", at: 99)])
            let claims = try await subject.claim()
            let first = try require(claims.first { $0.definition == (try? .fixture("tea")) }, "the first is claimed")
            let settlement = Settlement(token: first.token, id: first.id, outcome: .delivered)
            let request = ClaimRequest(owner: "me", limit: 10, otherRoom: 10, until: .fixture(160))
            let both = try await subject.store.settle([settlement], andClaim: request, now: .fixture(100))
            try expectEqual(both.claimed, [], "claimed")
            try expectEqual(both.next, .fixture(500), "next attempt")
        },
        Check("a later one does not overtake one that waits for a retry, over a restart neither") { subject in
            try await subject.advance([try .fixture(at: 90), try .fixture(at: 95), try .fixture("other", at: 99)])
            for claim in try await subject.claim() where claim.definition == (try .fixture("tea")) {
                try await subject.settle(claim, .retry(at: .fixture(500), reason: "busy"))
            }
            let later = try await subject.reopened()
            try expectEqual(try await later.claim(at: 400), [], "claimed")
            try expectEqual(try await later.store.nextAttempt(after: .fixture(400)), .fixture(500), "next attempt")
            try expectEqual(try await later.claimOne(at: 500).due, .fixture(90), "due")
        },
        Check("what waits for its turn holds up neither another sink nor another definition") { subject in
            try await subject.advance([try .fixture("a", to: ["x"])])
            _ = try await subject.claimOne()
            try await subject.advance([
                try .fixture("a", at: 110, to: ["x", "y"]), try .fixture("b", at: 120, to: ["x"]),
            ])
            let claimed = try await subject.claim(at: 130)
            try expectEqual(claimed.map { "\($0.definition) \($0.sink)" }, ["a y", "b x"], "claimed")
        },
        Check("one that ends badly lets the next have its turn") { subject in
            for (number, outcome) in [
                Outcome.dead(reason: "no"), .expired(reason: "late"), .skipped(reason: "later one"),
            ].enumerated() {
                let id = "t\(number)"
                try await subject.advance([try .fixture(id, at: 1), try .fixture(id, at: 2)])
                try await subject.settle(try await subject.claimOne(), outcome)
                try await subject.settle(try await subject.claimOne(), .delivered)
            }
        },
    ]

    static let overlapChecks: [Check] = [
        Check("overlap allow: several at a time") { subject in
            try await subject.advance([
                try .fixture(at: 90, overlap: .allow), try .fixture(at: 95, overlap: .allow),
            ])
            try expectEqual(try await subject.claim().count, 2, "claimed")
        },
        Check("overlap skip: nothing is made while an earlier occurrence runs, and that is recorded") { subject in
            try await subject.advance([try .fixture(at: 90, overlap: .skip, isCatchUp: false)])
            let running = try await subject.claimOne()
            let ended = try await subject.store.advance(
                Advance(
                    schedules: [.fixture(phase: .acting, deadline: 110)],
                    firings: [try .fixture(at: 110, overlap: .skip, isCatchUp: false)]), now: .fixture(110))
            try expectEqual(
                ended, [EndedExpiry(definition: try .fixture("tea"), occurrence: .fixture(110))], "ended")
            try expectEqual(try await subject.states(), [.claimed, .skipped], "states")
            try await subject.settle(running, .delivered)
            try await subject.advance([try .fixture(at: 130, overlap: .skip, isCatchUp: false)], at: 130)
            try expectEqual(try await subject.claimOne(at: 130).due, .fixture(130), "due")
            let reason = try await subject.store.deliveries(DeliveryFilter(states: [.skipped])).first?.reason
            try expectEqual(reason, Overlap.skippedReason, "reason")
        },
        Check("overlap skip: a claim whose end has passed runs nothing, and one given back neither") { subject in
            try await subject.advance([try .fixture(at: 90, overlap: .skip, isCatchUp: false)])
            _ = try await subject.claimOne(owner: "killed")
            try await subject.advance([try .fixture(at: 160, overlap: .skip, isCatchUp: false)], at: 160)
            try expectEqual(try await subject.states(), [.claimed, .queued], "states")
            let later = try await subject.reopened()
            _ = try await later.store.releaseClaims(.ofFormerOwners, owner: "me", now: .fixture(161))
            try await later.advance([try .fixture(at: 170, overlap: .skip, isCatchUp: false)], at: 170)
            for due: Int64 in [90, 160, 170] {
                let claim = try await later.claimOne(at: 200)
                try expectEqual(claim.due, .fixture(due), "due")
                try await later.settle(claim, .delivered)
            }
        },
        Check("overlap skip: actions of one occurrence, and what makes up for a downtime, wait instead") { subject in
            let reminder = FiringAction.reminder(CalendarSpan(nanoseconds: 5), .before)
            try await subject.advance([try .fixture(at: 90, reminder, overlap: .skip, isCatchUp: false)])
            _ = try await subject.claimOne()
            try await subject.advance([
                try .fixture(at: 90, overlap: .skip, isCatchUp: false), try .fixture(at: 95, overlap: .skip),
            ])
            try expectEqual(try await subject.states(), [.claimed, .queued, .queued], "states")
        },
        Check("overlap replace: what waits is ended at once, what runs is named, and the new one follows") { subject in
            try await subject.advance([
                try .fixture(at: 90, overlap: .replace), try .fixture("calm", at: 90, to: ["x"], overlap: .replace),
            ])
            let claims = try await subject.claim()
            try expectEqual(try await subject.store.replacedClaims(owner: "me"), [], "replaced before there is another")
            try await subject.advance([try .fixture(at: 110, overlap: .replace)], at: 110)
            try await subject.advance([try .fixture(at: 120, overlap: .replace)], at: 120)
            try expectEqual(try await subject.states(), [.claimed, .skipped, .queued], "states")
            let running = try require(claims.first { $0.definition.rawValue == "tea" }, "tea must be claimed")
            try expectEqual(try await subject.store.replacedClaims(owner: "me"), [running.token], "replaced")
            try expectEqual(try await subject.store.replacedClaims(owner: "other"), [], "replaced of others")
            try await subject.settle(running, .skipped(reason: Overlap.replacedReason), at: 120)
            try expectEqual(try await subject.claimOne(at: 120).due, .fixture(120), "due")
        },
        Check("overlap replace: what was written before its sink had that overlap runs to its end") { subject in
            try await subject.advance([try .fixture(at: 90, overlap: .queue)])
            let running = try await subject.claimOne()
            try await subject.advance([try .fixture(at: 110, overlap: .replace)], at: 110)
            try expectEqual(try await subject.store.replacedClaims(owner: "me"), [], "replaced")
            try await subject.settle(running, .delivered, at: 120)
            try expectEqual(try await subject.claimOne(at: 120).due, .fixture(110), "due")
        },
        Check("overlap replace: written again after a crash it ends nothing that came later") { subject in
            let first = try Firing.fixture(at: 90, overlap: .replace)
            try await subject.advance([first])
            try await subject.advance([try .fixture(at: 110, overlap: .replace)], at: 110)
            try await subject.advance([first], at: 120)
            try expectEqual(try await subject.states(), [.skipped, .pending], "states")
        },
    ]

    static let clockChecks: [Check] = [
        Check("what waits moves along when the clock is set") { subject in
            try await subject.advance([try .fixture()], at: 1_000)
            try await subject.settle(
                try await subject.claimOne(at: 1_000), .retry(at: .fixture(1_300), reason: "busy"), at: 1_000)
            try await subject.store.clockWasSet(by: .seconds(-900), now: .fixture(100))
            try expectEqual(try await subject.claim(at: 399), [], "claimed")
            try expectEqual(try await subject.claimOne(at: 400).since, .fixture(100), "since")
        },
        Check("what was never tried does not wait for the clock, whichever way it is set") { subject in
            try await subject.advance([try .fixture("a")], at: 1_000)
            try await subject.store.clockWasSet(by: .seconds(900), now: .fixture(1_000))
            try expectEqual(try await subject.claim(at: 1_000).count, 1, "claimed after a step forwards")
            var missed = try Firing.fixture("b")
            missed.notBefore = .fixture(1_010)
            try await subject.advance([missed], at: 1_000)
            try await subject.store.clockWasSet(by: .seconds(-900), now: .fixture(100))
            try expectEqual(try await subject.claim(at: 100).count, 1, "claimed after a step back")
        },
        Check("after a start with a clock that was set back meanwhile nothing waits longer than before") { subject in
            try await subject.advance([try .fixture("retried"), try .fixture("patient", to: ["b"])], at: 1_000)
            for claim in try await subject.claim(at: 1_000) {
                try await subject.settle(claim, .retry(at: .fixture(1_300), reason: "busy"), at: 1_000)
            }
            let later = try await subject.reopened()
            try await later.store.clockWasSet(by: .zero, now: .fixture(1_100))
            try expectEqual(try await later.claim(at: 1_100), [], "claimed though the clock goes right")
            try await later.store.clockWasSet(by: .zero, now: .fixture(500))
            try expectEqual(try await later.claim(at: 500).count, 2, "claimed")
        },
    ]
}
