import TminusCore

extension StoreConformance {
    static let controlChecks: [Check] = [
        Check("manual changes of schedules come back as they were written, also after a crash") { store in
            var paused = ScheduleState.fixture("a", phase: .paused, deadline: 700)
            (paused.heldSince, paused.added) = (.fixture(50), .nanoseconds(90_000_000_001))
            paused.overrides = Overrides(
                mute: .fixture(until: 900, note: "O'Brien \"x\"\n🎉"),
                skip: Overrides.Skip(occurrence: .fixture(700), origin: .fixture(note: nil)),
                snooze: Overrides.Snooze(occurrence: .distantPast, until: .distantFuture, origin: .fixture(note: "")))
            var stopwatch = ScheduleState.fixture("b")
            stopwatch.kind = .stopwatch
            stopwatch.laps = [.nanoseconds(1), .zero, .nanoseconds(Int64.max)]
            var held = stopwatch
            (held.id, held.phase, held.heldSince, held.laps) = (.fixture("c"), .paused, .fixture(3), [])
            held.isDisabled = true
            try await store.write(schedules: paused, stopwatch, held)
            try expectEqual(try await store.reopened().schedules(), [paused, stopwatch, held], "schedules")
        },
        Check("the general mute is kept until it is replaced or taken back") { store in
            let second = Overrides.Mute.fixture(until: 800)
            try await store.commit(Commit(mute: .until(.fixture(until: 900, note: "O'Brien"))), at: 0)
            try await store.commit(Commit(mute: .until(second)), at: 1)
            try await store.write(schedules: .fixture("a"))
            let later = try await store.reopened()
            try expectEqual(try await later.backend.snapshot().mute, second, "mute")
            try await later.commit(Commit(mute: .over), at: 3)
            try expectEqual(try await store.reopened().backend.snapshot().mute, nil, "mute")
        },
        Check("manual changes that are unset later are gone") { store in
            var paused = ScheduleState.fixture(phase: .paused, deadline: 700)
            (paused.heldSince, paused.added) = (.fixture(50), .seconds(5))
            paused.overrides.mute = .fixture(until: 900)
            let resumed = ScheduleState.fixture(deadline: 800)
            for state in [paused, resumed] { try await store.write(schedules: state) }
            try expectEqual(try await store.reopened().schedules(), [resumed], "schedules")
        },
        Check("the later of two states of a schedule in one commit is kept") { store in
            let later = ScheduleState.fixture(phase: .idle)
            try await store.write(schedules: .fixture(deadline: 700), later)
            try expectEqual(try await store.reopened().schedules(), [later], "schedules")
            // As many as are written together.
            let ids = (0..<40).map { "timer\($0)" }
            let first = ids.map { ScheduleState.fixture($0, deadline: 700) }
            let second = ids.map { ScheduleState.fixture($0, deadline: 800) }
            try await store.commit(Commit(schedules: zip(first, second).flatMap { [$0, $1] } + [later]), at: 3)
            let stored = Set(try await store.reopened().schedules().map(\.deadline))
            try expectEqual(stored, [later.deadline, .fixture(800)], "deadlines")
        },
        Check("alerts of a stopwatch are deliveries like any other, and part of the history") { store in
            var firing = Firing.fixture(at: 60, .elapsed(.seconds(1_800)))
            firing.payload.elapsed = Payload.Amount(nanoseconds: 1_800_000_000_000, text: "30 minutes")
            try await store.write(firing)
            let claim = try await store.reopened().claimOne()
            try expectEqual(claim.action, .elapsed, "kind of the action")
            try expectEqual(claim.payload, firing.payload, "payload")
            try await store.settle(claim, at: 110)
            try expectEqual(try await store.history().map(\.action), ["elapsed:PT30M"], "history")
        },
        Check("a snoozed expiry is another delivery than the expiry") { store in
            try await store.settled(.fixture(at: 60))
            var snoozed = Firing.fixture(at: 60, .snoozed(until: .fixture(90)))
            snoozed.due = .fixture(90)
            let claim = try await store.claimed(snoozed)
            try expectEqual(claim.action, .expiry, "kind of the action")
            try expectEqual(claim.occurrence, .fixture(60), "occurrence")
        },
        Check("the history shows the note of an omission") { store in
            try await store.commit(Commit(omissions: [.fixture(.muted, note: "ada: the release is frozen")]))
            let ends = try await store.reopened().history().map(\.end)
            try expectEqual(ends, [.skipped(reason: "it was muted (ada: the release is frozen)")], "ends")
        },
    ]

    static let adHocChecks: [Check] = [
        Check("definitions without a file come back byte for byte, by id, also after a crash") { store in
            let document = Array(#"{"timers":{"b":{"duration":"5m"}}}"#.utf8)
            let b = AdHocDefinition(id: .fixture("b"), document: document, by: "ada", created: .fixture(1))
            let a = AdHocDefinition(id: .fixture("a"), document: Array(0...255), by: "", created: .distantPast)
            for definition in [b, a] { try await store.backend.add(definition) }
            try expectEqual(try await store.reopened().backend.adHocDefinitions(), [a, b], "definitions")
        },
        Check("adding a definition again replaces it, and removing returns the count") { store in
            var definition = AdHocDefinition(id: .fixture("a"), document: [1], by: "ada", created: .fixture(1))
            try await store.backend.add(definition)
            (definition.document, definition.by) = ([2], "eve")
            try await store.backend.add(definition)
            try expectEqual(try await store.backend.adHocDefinitions(), [definition], "definitions")
            try expectEqual(try await store.backend.removeAdHoc([definition.id, .fixture("none")]), 1, "removed")
            try expectEqual(try await store.reopened().backend.adHocDefinitions(), [], "definitions")
        },
        Check("definitions without a file are not subject to retention") { store in
            let definition = AdHocDefinition(id: .fixture("a"), document: [1], by: "ada", created: .fixture(1))
            try await store.backend.add(definition)
            try await store.prune(.standard, at: 1_000 * 86_400)
            try expectEqual(try await store.backend.adHocDefinitions(), [definition], "definitions")
        },
    ]
}
