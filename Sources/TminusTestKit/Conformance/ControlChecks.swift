import TminusCore

extension StoreConformance {
    static let controlChecks: [Check] = [
        Check("manual changes of schedules come back as they were written, also after a crash") { subject in
            var paused = try ScheduleState.fixture("a", phase: .paused, deadline: 700)
            paused.heldSince = .fixture(50)
            paused.added = .nanoseconds(90_000_000_001)
            paused.overrides = Overrides(
                mute: Overrides.Mute(until: .fixture(900), origin: .fixture(note: "O'Brien \"x\"\n🎉")),
                skip: Overrides.Skip(occurrence: .fixture(700), origin: .fixture(note: nil)),
                snooze: Overrides.Snooze(occurrence: .distantPast, until: .distantFuture, origin: .fixture(note: "")))
            var stopwatch = try ScheduleState.fixture("b", phase: .armed)
            stopwatch.kind = .stopwatch
            stopwatch.laps = [.nanoseconds(1), .zero, .nanoseconds(Int64.max)]
            var held = stopwatch
            held.id = try .fixture("c")
            (held.phase, held.heldSince, held.laps) = (.paused, .fixture(3), [])
            try await subject.advance([], schedules: [paused, stopwatch, held])
            let found = try await subject.reopened().store.snapshot().schedules
            try expectEqual(found.sorted { $0.id < $1.id }, [paused, stopwatch, held], "schedules")
        },
        Check("the general mute is kept until it is replaced or taken back") { subject in
            let first = Overrides.Mute(until: .fixture(900), origin: .fixture(note: "O'Brien"))
            let second = Overrides.Mute(until: .fixture(800), origin: .fixture(note: nil))
            try await subject.commit(Commit(mute: .until(first)), at: 0)
            try await subject.commit(Commit(mute: .until(second)), at: 1)
            try await subject.commit(Commit(schedules: [try .fixture("a")]), at: 2)
            let later = try await subject.reopened()
            try expectEqual(try await later.store.snapshot().mute, second, "mute")
            try await later.commit(Commit(mute: .over), at: 3)
            try expectEqual(try await subject.reopened().store.snapshot().mute, nil, "mute")
        },
        Check("manual changes that are unset later are gone") { subject in
            var paused = try ScheduleState.fixture(phase: .paused, deadline: 700)
            paused.heldSince = .fixture(50)
            paused.added = .seconds(5)
            paused.overrides.mute = Overrides.Mute(until: .fixture(900), origin: .fixture(note: nil))
            try await subject.advance([], schedules: [paused])
            let resumed = try ScheduleState.fixture(deadline: 800)
            try await subject.advance([], schedules: [resumed])
            try expectEqual(try await subject.reopened().store.snapshot().schedules, [resumed], "schedules")
        },
        Check("the later of two states of a schedule in one commit is kept") { subject in
            let earlier = try ScheduleState.fixture(deadline: 700)
            let later = try ScheduleState.fixture(phase: .idle)
            try await subject.advance([], schedules: [earlier, later])
            try expectEqual(try await subject.reopened().store.snapshot().schedules, [later], "schedules")
        },
        Check("alerts of a stopwatch are deliveries like any other, and part of the history") { subject in
            var firing = try Firing.fixture(at: 60, .elapsed(.seconds(1_800)))
            firing.payload.elapsed = Payload.Amount(nanoseconds: 1_800_000_000_000, text: "30 minutes")
            try await subject.advance([firing])
            let claim = try await subject.reopened().claimOne()
            try expectEqual(claim.action, .elapsed, "kind of the action")
            try expectEqual(claim.payload, firing.payload, "payload")
            try await subject.settle(claim, .delivered, at: 110)
            let history = try await subject.store.history(of: .fixture("tea"), before: .distantFuture, limit: 9)
            try expectEqual(history.map(\.action), ["elapsed:PT30M"], "history")
        },
        Check("a snoozed expiry is another delivery than the expiry") { subject in
            try await subject.advance([.fixture(at: 60)])
            try await subject.settle(try await subject.claimOne(), .delivered)
            var snoozed = try Firing.fixture(at: 60, .snoozed(until: .fixture(90)))
            snoozed.due = .fixture(90)
            try await subject.advance([snoozed])
            let claim = try await subject.claimOne()
            try expectEqual(claim.action, .expiry, "kind of the action")
            try expectEqual(claim.occurrence, .fixture(60), "occurrence")
        },
        Check("the history shows the note of an omission") { subject in
            let omission = Omission(
                definition: try .fixture("tea"), occurrence: .fixture(5), action: .expiry, due: .fixture(5),
                reason: .muted, note: "ada: the release is frozen")
            try await subject.commit(Commit(omissions: [omission]), at: 6)
            let later = try await subject.reopened()
            let history = try await later.store.history(of: .fixture("tea"), before: .distantFuture, limit: 9)
            try expectEqual(
                history.map(\.end), [.skipped(reason: "it was muted (ada: the release is frozen)")], "ends")
        },
    ]

    static let adHocChecks: [Check] = [
        Check("definitions without a file come back byte for byte, by id, also after a crash") { subject in
            let b = AdHocDefinition(
                id: try .fixture("b"), document: Array(#"{"timers":{"b":{"duration":"5m"}}}"#.utf8), by: "ada",
                created: .fixture(1))
            let a = AdHocDefinition(id: try .fixture("a"), document: Array(0...255), by: "", created: .distantPast)
            for definition in [b, a] { try await subject.store.add(definition) }
            try expectEqual(try await subject.reopened().store.adHocDefinitions(), [a, b], "definitions")
        },
        Check("adding a definition again replaces it, and removing returns the count") { subject in
            var definition = AdHocDefinition(
                id: try .fixture("a"), document: [1], by: "ada", created: .fixture(1))
            try await subject.store.add(definition)
            definition.document = [2]
            definition.by = "eve"
            try await subject.store.add(definition)
            try expectEqual(try await subject.store.adHocDefinitions(), [definition], "definitions")
            let ids = [definition.id, try .fixture("none")]
            try expectEqual(try await subject.store.removeAdHoc(ids), 1, "removed")
            try expectEqual(try await subject.reopened().store.adHocDefinitions(), [], "definitions")
        },
        Check("definitions without a file are not subject to retention") { subject in
            let definition = AdHocDefinition(
                id: try .fixture("a"), document: [1], by: "ada", created: .fixture(1))
            try await subject.store.add(definition)
            try await subject.store.prune(.standard, now: .fixture(1_000 * 86_400))
            try expectEqual(try await subject.store.adHocDefinitions(), [definition], "definitions")
        },
    ]
}

extension Overrides.Origin {
    fileprivate static func fixture(note: String?) -> Self { Self(by: "ada", at: .fixture(40), note: note) }
}
