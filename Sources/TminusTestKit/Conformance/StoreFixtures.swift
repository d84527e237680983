import TminusCore

extension Timestamp {
    /// That many seconds after 2026-01-01T00:00:00Z, and some odd nanoseconds that must not get lost.
    static func fixture(_ seconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: 1_767_225_600_123_456_789).advanced(by: .seconds(seconds))
    }
}

extension DefinitionID {
    /// An id of the fixtures, all of which are valid.
    static func fixture(_ text: String) -> DefinitionID {
        guard let id = DefinitionID(text) else { preconditionFailure("'\(text)' must be a valid id") }
        return id
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

extension FiringAction {
    /// A reminder.
    static let early = FiringAction.reminder(CalendarSpan(nanoseconds: 5), .before)
}

extension Firing {
    /// An expiry (or another action) of `id`, due at its occurrence.
    static func fixture(
        _ id: String = "tea", at due: Int64 = 100, _ action: FiringAction = .expiry, to sinks: [String] = ["chat"],
        notBefore: Int64? = nil, expires: Int64? = nil, overlap: Overlap = .queue, isCatchUp: Bool = true,
        onFailure: [String] = []
    ) -> Firing {
        var payload = Payload.fixture(id)
        payload.isCatchUp = isCatchUp
        let keys = sinks.map { SinkKey($0) }
        let overlaps = overlap == .queue ? [] : keys.map { ($0, overlap) }
        return Firing(
            definition: .fixture(id), occurrence: .fixture(due), action: action, due: .fixture(due), payload: payload,
            sinks: keys, notBefore: notBefore.map(Timestamp.fixture), expires: expires.map(Timestamp.fixture),
            overlaps: Dictionary(overlaps, uniquingKeysWith: { first, _ in first }),
            onFailure: onFailure.map { SinkKey($0) })
    }

    /// The ids of its deliveries.
    var ids: [DeliveryID] { targets.map(\.delivery) }
}

extension Omission {
    /// An expiry of `tea` that was not sent.
    static func fixture(
        at due: Int64 = 5, _ reason: Reason = .tooLate, count: Int = 1, note: String? = nil
    ) -> Omission {
        Omission(
            definition: .fixture("tea"), occurrence: .fixture(due), action: .expiry, due: .fixture(due), reason: reason,
            count: count, note: note)
    }
}

extension EndedExpiry {
    /// The expiry of `tea`.
    static func fixture(at occurrence: Int64) -> EndedExpiry {
        EndedExpiry(definition: .fixture("tea"), occurrence: .fixture(occurrence))
    }
}

extension Overrides.Mute {
    /// A mute by ada.
    static func fixture(until: Int64, note: String? = nil) -> Overrides.Mute {
        Overrides.Mute(until: .fixture(until), origin: .fixture(note: note))
    }
}

extension Overrides.Origin {
    /// Ada, with that note.
    static func fixture(note: String?) -> Overrides.Origin { Self(by: "ada", at: .fixture(40), note: note) }
}

extension ScheduleState {
    /// The state of a timer.
    static func fixture(
        _ id: String = "tea", phase: Phase = .armed, cursor: Int64 = 100, deadline: Int64? = nil, removed: Int64? = nil
    ) -> ScheduleState {
        ScheduleState(
            id: .fixture(id), kind: .timer, fingerprint: .max, leads: 2, phase: phase,
            cursor: .fixture(cursor), start: .fixture(1), deadline: deadline.map(Timestamp.fixture), occurrences: 3,
            removed: removed.map(Timestamp.fixture))
    }

    /// A timer that waits for the end of its expiry.
    static func fixture(_ id: String = "tea", waitingFor occurrence: Int64) -> ScheduleState {
        .fixture(id, phase: .acting, deadline: occurrence)
    }

    /// The schedule of a definition that waits for the end of one of its firings.
    static func fixture(waitingFor firing: Firing) -> ScheduleState {
        var state = ScheduleState.fixture(firing.definition.rawValue, phase: .acting)
        state.deadline = firing.occurrence
        return state
    }
}

extension SinkSpec {
    /// A shell sink with a nested option.
    static func fixture(_ name: String? = "chat", command: String = "true") -> SinkSpec {
        let options = Node(
            .mapping([
                Node.Entry(key: "shell", value: Node(.scalar(command))),
                Node.Entry(key: "environment", value: Node(.sequence([Node(.null), Node(.scalar("ü"))]))),
            ]))
        return SinkSpec(
            name: name, kind: "shell", options: options, directory: "/etc/tminus",
            label: name == nil ? "shell '\(command)' (a.yaml:1)" : nil)
    }

    /// The same sink for machines with these labels.
    func asking(for labels: String...) -> SinkSpec {
        var spec = self
        guard case .mapping(let entries) = options.content else { return self }
        let list = Node(.sequence(labels.map { Node(.scalar($0)) }))
        spec.options = Node(.mapping(entries + [Node.Entry(key: "run-on", value: list)]))
        return spec
    }
}

extension ClaimRequest {
    /// A request for claims that end 60 s after `now`.
    static func fixture(
        at now: Int64 = 100, limit: Int = 100, room: [String: Int] = [:], otherRoom: Int = 100, owner: String = "me",
        removedBefore: Int64? = nil, labels: [String] = []
    ) -> ClaimRequest {
        ClaimRequest(
            owner: owner, limit: limit, room: Dictionary(uniqueKeysWithValues: room.map { (SinkKey($0), $1) }),
            otherRoom: otherRoom, until: .fixture(now + 60),
            removedBefore: removedBefore.map(Timestamp.fixture) ?? .distantPast,
            labels: Set(labels.compactMap { MachineLabel($0) }))
    }
}

extension Outcome {
    /// Not this time.
    static func busy(until next: Int64 = 100) -> Outcome { .retry(at: .fixture(next), reason: "busy") }
}

extension Settlement {
    /// The end of a claim.
    static func fixture(
        _ claimed: Delivery, _ outcome: Outcome = .delivered, report: DeliveryReport? = .empty,
        telling firings: [Firing] = []
    ) -> Settlement {
        Settlement(
            token: claimed.claim.token, id: claimed.id, outcome: outcome, report: report, firings: firings)
    }
}
