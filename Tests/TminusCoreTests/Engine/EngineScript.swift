import Testing
import TminusTestKit

@testable import TminusCore

/// An engine's state that a test drives by hand: one step at a time, with the answers of a store that the test makes up.
struct EngineScript {
    var state: EngineState
    /// The clock, in seconds after a fixed moment.
    var seconds = 0.0
    var setBy: Duration = .zero
    var slept: Duration = .zero
    /// The commit on its way, if there is one.
    var commit: Commit?

    /// An engine that has taken in an empty set of definitions, unless it is to begin with what was stored or not to have begun.
    init(
        _ snapshot: StoreSnapshot? = nil, isFollower: Bool = false, labels: Set<MachineLabel> = [],
        firstPart: Int = 100_000
    ) {
        let reading = ClockReading(now: at(0), setBy: .zero)
        let recording = Recording()
        state = EngineState(
            snapshot ?? StoreSnapshot(), owner: "me", source: "/tminus/test", at: reading, isFollower: isFollower,
            labels: labels, firstPart: firstPart
        ) { spec in
            guard spec.kind == "test" else { return nil }
            func option(_ name: String) -> String? {
                guard case .mapping(let entries) = spec.options.content,
                    case .scalar(let text)? = entries.first(where: { $0.key == name })?.value.content
                else { return nil }
                return text
            }
            let sink = RecordingSink(recording, maxConcurrent: option("max").flatMap { Int($0) } ?? 4)
            return ConfiguredSink(
                sink, policy: SinkPolicy(rateLimit: option("rate").flatMap { RateLimit($0) }))
        }
        guard snapshot == nil else { return }
        step(.schedule(.definitions(DefinitionSet())))
        settle()
    }

    var reading: ClockReading { ClockReading(now: at(seconds), setBy: setBy, slept: slept) }

    /// Takes a step, and remembers the commit that it sends on its way.
    @discardableResult
    mutating func step(_ inputs: EngineInput...) -> Turn { step(inputs) }

    @discardableResult
    mutating func step(_ inputs: [EngineInput]) -> Turn {
        let turn = state.step(inputs, at: reading)
        #expect(state.dispatch.isConsistent)
        if let next = turn.commit { commit = next }
        return turn
    }

    /// The commit on its way succeeds, with these claimed deliveries of these sinks.
    @discardableResult
    mutating func written(
        _ claimed: [Delivery] = [], sinks: [SinkSpec] = [], also change: (inout Committed) -> Void = { _ in },
        _ inputs: EngineInput...
    ) -> Turn {
        var committed = Committed(claimed: claimed, sinks: sinks)
        change(&committed)
        commit = nil
        return step([.committed(.success(committed))] + inputs)
    }

    /// The commit on its way fails.
    @discardableResult
    mutating func refused(_ kind: StoreError.Kind = .full) -> Turn {
        commit = nil
        return step(.committed(.failure(StoreError(kind, "no room"))))
    }

    /// Answers commits until none is on its way.
    mutating func settle() {
        while commit != nil { written() }
    }

    /// Claims deliveries, as if they had waited in the store; returns the turn that takes them.
    mutating func claim(_ deliveries: [Delivery], sinks: [SinkSpec]) -> Turn {
        if commit == nil { step(.hint) }
        return written(deliveries, sinks: sinks)
    }

    /// The end of an attempt.
    func end(
        _ attempt: Attempt, _ outcome: Outcome = .delivered, report: DeliveryReport = .empty
    ) -> EngineInput {
        .ended(AttemptOutcome(of: attempt.number, outcome, report: report, ended: reading))
    }
}

extension Turn {
    /// The definitions whose attempts begin.
    var begun: [String] { begin.map(\.delivery.definition.rawValue) }
}

extension Commit {
    /// What becomes of claims: definition and outcome.
    var ends: [String] { settlements.map { "\($0.token) \($0.outcome.short)" } }
}

extension Outcome {
    var short: String {
        switch self {
        case .delivered: "delivered"
        case .retry(_, let reason): "retry: \(reason)"
        case .dead(let reason): "dead: \(reason)"
        case .expired(let reason): "expired: \(reason)"
        case .skipped(let reason): "skipped: \(reason)"
        }
    }
}

extension SinkSpec {
    static func test(_ name: String = "s", max: Int = 4, rate: String? = nil) -> SinkSpec {
        var entries = [Node.Entry(key: "max", value: Node(.scalar(String(max))))]
        if let rate { entries.append(Node.Entry(key: "rate", value: Node(.scalar(rate)))) }
        return SinkSpec(name: name, kind: "test", options: Node(.mapping(entries)), directory: "/")
    }
}

extension Delivery {
    /// A claimed delivery of a definition; its token is the definition's id.
    static func test(
        _ id: String, to sink: String = "s", overlap: Overlap = .queue, expires: Timestamp? = nil,
        onFailure: [SinkKey] = []
    ) -> Delivery {
        let definition = DefinitionID(id)!
        let payload = Payload(
            id: id, kind: .timer, name: id, description: nil, labels: [:], due: "", timezone: "UTC", before: nil,
            remaining: Payload.Amount(nanoseconds: 0, text: ""), scheduled: at(0), fired: at(0), late: 0,
            isCatchUp: false, occurrence: at(0), message: "")
        var delivery = Delivery(
            id: DeliveryID(definition: definition, occurrence: at(0), action: .expiry, sink: SinkKey(sink)),
            definition: definition, occurrence: at(0), action: .expiry, sink: SinkKey(sink), due: at(0), attempt: 1,
            source: "", payload: payload)
        delivery.claim = Delivery.Claim(
            token: id, since: at(0), expires: expires, overlap: overlap, onFailure: onFailure)
        return delivery
    }
}
