import TminusCore

extension Timestamp {
    /// That many seconds after 2026-01-01T00:00:00Z, and some odd nanoseconds that must not get lost.
    static func fixture(_ seconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: 1_767_225_600_123_456_789).advanced(by: .seconds(seconds))
    }
}

extension DefinitionID {
    /// An id of the fixtures, all of which are valid.
    static func fixture(_ text: String) throws -> DefinitionID {
        try require(DefinitionID(text), "'\(text)' must be a valid id")
    }
}

extension Payload {
    /// A payload with text that needs care: quotes, other scripts, a NUL, a line end.
    static func fixture(_ id: String) -> Payload {
        var payload = Payload(
            id: id, kind: .timer, name: "O'Brien; DROP TABLE \"firing\" 🎉", description: "line\nline\u{0}end",
            labels: ["a": "ä", "": "?"], due: "2026-01-01T00:00:00Z", timezone: "Europe/Berlin",
            before: Amount(nanoseconds: .max, text: "1 day"), remaining: Amount(nanoseconds: -1, text: "now"),
            scheduled: .fixture(0), fired: .distantFuture, late: .min, isCatchUp: true, occurrence: .distantPast,
            message: "日本語 \\ %s ?")
        payload.messageBeforeRemaining = "\n"
        return payload
    }
}

extension Firing {
    /// An expiry (or another action) of `id`, due at its occurrence.
    static func fixture(
        _ id: String = "tea", at due: Int64 = 100, _ action: FiringAction = .expiry, to sinks: [String] = ["chat"],
        overlap: Overlap = .queue, isCatchUp: Bool = true
    ) throws -> Firing {
        var payload = Payload.fixture(id)
        payload.isCatchUp = isCatchUp
        let keys = sinks.map { SinkKey($0) }
        let overlaps = overlap == .queue ? [] : keys.map { ($0, overlap) }
        return Firing(
            definition: try .fixture(id), occurrence: .fixture(due), action: action, due: .fixture(due),
            payload: payload, sinks: keys, overlaps: Dictionary(overlaps, uniquingKeysWith: { first, _ in first }))
    }
}

extension ScheduleState {
    /// The state of a timer.
    static func fixture(
        _ id: String = "tea", phase: Phase = .armed, cursor: Int64 = 100, deadline: Int64? = nil, removed: Int64? = nil
    ) throws -> ScheduleState {
        ScheduleState(
            id: try .fixture(id), kind: .timer, fingerprint: .max, leads: 2, phase: phase,
            cursor: .fixture(cursor), start: .fixture(1), deadline: deadline.map(Timestamp.fixture), occurrences: 3,
            removed: removed.map(Timestamp.fixture))
    }
}

extension ScheduleState {
    /// The schedule of a definition that waits for the end of one of its firings.
    static func fixture(waitingFor firing: Firing) -> ScheduleState {
        ScheduleState(
            id: firing.definition, kind: .timer, fingerprint: .max, leads: 2, phase: .acting,
            cursor: firing.occurrence, start: .fixture(1), deadline: firing.occurrence)
    }
}

extension SinkSpec {
    /// A shell sink with a nested option.
    static func fixture(_ name: String?, command: String = "true") -> SinkSpec {
        let options = Node(
            .mapping([
                Node.Entry(key: "shell", value: Node(.scalar(command))),
                Node.Entry(key: "environment", value: Node(.sequence([Node(.null), Node(.scalar("ü"))]))),
            ]))
        return SinkSpec(
            name: name, kind: "shell", options: options, directory: "/etc/tminus",
            label: name == nil ? "shell '\(command)' (a.yaml:1)" : nil)
    }
}

extension ClaimRequest {
    /// A request for claims that end 60 s after `now`.
    static func fixture(
        at now: Int64 = 100, limit: Int = 100, room: [SinkKey: Int] = [:], otherRoom: Int = 100, owner: String = "me",
        removedBefore: Int64? = nil
    ) -> ClaimRequest {
        ClaimRequest(
            owner: owner, limit: limit, room: room, otherRoom: otherRoom, until: .fixture(now + 60),
            removedBefore: removedBefore.map(Timestamp.fixture) ?? .distantPast)
    }
}

extension Settlement {
    /// The end of a claim.
    static func fixture(
        _ claimed: Delivery, _ outcome: Outcome, report: DeliveryReport? = .empty, telling firings: [Firing] = []
    ) -> Settlement {
        Settlement(
            token: claimed.claim.token, id: claimed.id, outcome: outcome, report: report, firings: firings)
    }
}
