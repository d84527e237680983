internal import TminusCore

/// A part of the daemon that has to answer a hint.
enum HealthPart: String, Sendable, Hashable, CaseIterable {
    /// The loop of the engine, which decides what is due.
    case scheduler
    /// The half of the engine that writes and hands out deliveries: the commit on its way.
    case dispatcher
    /// The loop that reads definitions.
    case loader
}

/// Decides which parts of the daemon hang, from their answers to one hint. A value.
struct HealthCheck: Sendable {
    /// An answer to the hint.
    enum Answer: Sendable {
        /// A turn of the engine.
        case engine(Pulse)
        /// The loop of the loader.
        case loader
    }

    /// How long a part may take to answer.
    static let limit = Duration.seconds(5)
    /// How long a commit may be on its way. The store refuses what it cannot write within 5 s, for example because
    /// another program has locked it, so a commit that takes twice as long does not wait for the store alone.
    static let commitLimit = Duration.seconds(10)

    private var waiting: Set<HealthPart> = [.scheduler, .dispatcher, .loader]

    /// A check without answers.
    init() {}

    /// Takes an answer. A commit that hangs leaves the dispatcher without one.
    mutating func take(_ answer: Answer) {
        switch answer {
        case .engine(let pulse):
            waiting.remove(.scheduler)
            if pulse.commitAge ?? .zero < Self.commitLimit { waiting.remove(.dispatcher) }
        case .loader: waiting.remove(.loader)
        }
    }

    /// Whether further answers can change anything: not once the engine has answered and the loader has.
    var isDecided: Bool { waiting.isEmpty || waiting == [.dispatcher] }

    /// The parts that hang, once the time is over or ``isDecided``. Without any turn of the engine nothing is known of
    /// the dispatcher, and the scheduler alone is named.
    var hanging: [HealthPart] {
        HealthPart.allCases.filter { part in
            waiting.contains(part) && (part != .dispatcher || !waiting.contains(.scheduler))
        }
    }
}
