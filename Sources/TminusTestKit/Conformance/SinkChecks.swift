import TminusCore

extension StoreConformance {
    static let sinkChecks: [Check] = [
        Check("a sink comes back as it was written") { subject in
            let (named, inline) = (SinkSpec.fixture("chat"), SinkSpec.fixture(nil, command: "echo 'ü'"))
            try await subject.store.advance(Advance(sinks: [named, inline]), now: .fixture(1))
            let later = try await subject.reopened()
            for spec in [named, inline] { try expectEqual(try await later.store.sink(spec.key), spec, "sink") }
            try expectEqual(try await later.store.sink(SinkKey("nobody")), nil, "sink that was never written")
        },
        Check("a corrected sink takes the place of the old one, also for what already waits") { subject in
            try await subject.store.advance(
                Advance(firings: [try .fixture()], sinks: [.fixture("chat", command: "flase")]), now: .fixture(100))
            let corrected = SinkSpec.fixture("chat", command: "false")
            try await subject.store.advance(Advance(sinks: [corrected]), now: .fixture(101))
            try expectEqual(try await subject.store.sink(corrected.key), corrected, "sink")
            try expectEqual(try await subject.claimOne(at: 101).sinkRevision, corrected.revision, "revision")
        },
        Check("an advance without sinks leaves the sinks alone") { subject in
            let spec = SinkSpec.fixture("chat")
            try await subject.store.advance(Advance(sinks: [spec]), now: .fixture(1))
            try await subject.advance([], schedules: [.fixture()])
            try await subject.store.prune(.standard, now: .fixture(2))
            try expectEqual(try await subject.store.sink(spec.key), spec, "sink")
        },
        Check("a sink that is gone from the files stays while a delivery to it is open") { subject in
            let spec = SinkSpec.fixture("chat")
            try await subject.store.advance(Advance(firings: [try .fixture()], sinks: [spec]), now: .fixture(100))
            try await subject.store.advance(Advance(sinks: []), now: .fixture(101))
            try await subject.store.prune(.standard, now: .fixture(102))
            try expectEqual(try await subject.store.sink(spec.key), spec, "sink while pending")
            let claim = try await subject.claimOne(at: 102)
            try await subject.store.prune(.standard, now: .fixture(102))
            try expectEqual(try await subject.store.sink(spec.key), spec, "sink while claimed")
            try await subject.settle(claim, .delivered)
            try await subject.store.prune(.standard, now: .fixture(102))
            try expectEqual(try await subject.store.sink(spec.key), nil, "sink when all is settled")
        },
        Check("a sink that returns to the files is live again") { subject in
            let spec = SinkSpec.fixture("chat")
            for sinks in [[spec], [], [spec]] {
                try await subject.store.advance(Advance(sinks: sinks), now: .fixture(1))
            }
            try await subject.store.prune(.standard, now: .fixture(2))
            try expectEqual(try await subject.store.sink(spec.key), spec, "sink")
        },
    ]
}
