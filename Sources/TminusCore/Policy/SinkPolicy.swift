/// The options that a file can set for a sink of any kind, in addition to the options of its kind.
public struct SinkPolicy: Sendable, Hashable {
    /// When a delivery is retried.
    public var retry: RetryPolicy
    /// The limit of attempts per period; nil for no limit.
    public var rateLimit: RateLimit?

    /// A policy; without arguments, the default.
    public init(retry: RetryPolicy = .standard, rateLimit: RateLimit? = nil) {
        self.retry = retry
        self.rateLimit = rateLimit
    }

    /// The options that every kind of sink has in addition to its own.
    public static let keys: [KeyTable.Key] = [
        .init(
            "retry", .table("retry"), "when a delivery that failed is tried again",
            otherwise: "the defaults of the table 'retry'",
            example: "{ limit: 10, max: 1h }"),
        .init(
            "rate-limit", .rate, "the maximum number of attempts per period, such as '10/min' or '100/s'",
            otherwise: "no bound",
            example: "10/min"),
        .init(
            "overlap", .choice(Overlap.allCases.map(\.rawValue)),
            "what happens to an action while that of an earlier occurrence is pending",
            otherwise: "that of the definition", example: "replace"),
        .init(
            "run-on", .either([.choice(SinkPlace.allCases.map(\.rawValue)), .machineLabels]),
            "which machines of a fleet deliver to it: any, the leader alone, or those with all labels of a list; with 'rate-limit' always the leader",
            otherwise: "that of its kind", example: "[backup]"),
    ]

    /// All options of a kind of sink: its own, and the common ones.
    package static func table(of kind: any Sink.Type) -> KeyTable {
        KeyTable(kind.options.name, kind.options.keys + keys, rules: kind.options.rules)
    }

    /// The keys of `retry`.
    public static let retryTable = KeyTable(
        "retry",
        [
            .init("limit", .integer(1...1_000_000), "how many attempts in all", otherwise: "no bound", example: "10"),
            .init(
                "first", .duration,
                "the longest wait before the second attempt, at least 100 ms; it doubles with each further one",
                standard: "1s", example: "10s"),
            .init("max", .duration, "the upper bound of every wait", standard: "5m", example: "1h"),
            .init(
                "give-up-after", .duration, "how long after it was written a delivery is attempted; then it is dead",
                standard: "1 day",
                example: "1h"),
            .init(
                "on", .choice(RetryPolicy.Condition.allCases.map(\.rawValue)),
                "which failures are retried: transient ones, or any", standard: "transient", example: "any"),
        ])

    /// Reports the problems of `run-on`, which ``SinkSpec`` reads.
    private static func checkMachines(_ reader: MappingReader) {
        guard let node = reader.node("run-on") else { return }
        switch node.content {
        case .scalar(let text) where SinkPlace(rawValue: text) != nil: break
        case .sequence(let items) where !items.isEmpty:
            for item in items {
                guard let text = MappingReader.text(of: item, for: "run-on", reader.diagnostics) else { continue }
                if MachineLabel(text) == nil {
                    reader.diagnostics.error(
                        "'\(text)' is not a label of a machine: \(MachineLabel.rule)", at: item.range)
                }
            }
            if reader.node("rate-limit") != nil {
                reader.error(
                    "labels in 'run-on' and 'rate-limit' do not go together: the leader counts a rate limit",
                    at: "run-on")
            }
        default:
            let found = if case .scalar(let text) = node.content { "'\(text)'" } else { node.kindName }
            reader.error(
                "'run-on' must be any, leader, or a list of labels such as [backup], not \(found)", at: "run-on")
        }
    }

    /// Reads the policy from the options of a sink, and reports every problem.
    init(from reader: MappingReader) {
        self.init()
        _ = reader.choice("overlap", Overlap.self)
        Self.checkMachines(reader)
        if let text = reader.text("rate-limit") {
            rateLimit = RateLimit(text)
            if rateLimit == nil {
                reader.error(
                    "'rate-limit' must be a number for each s, min, h or day, such as 10/min, not '\(text)'",
                    at: "rate-limit")
            }
        }
        guard let node = reader.node("retry") else { return }
        let own = MappingReader(node, table: Self.retryTable, diagnostics: reader.diagnostics)
        retry.limit = own.integer("limit", in: 1...1_000_000)
        retry.first = own.duration("first") ?? retry.first
        if retry.first < RetryPolicy.shortestFirst {
            own.error("'first' must be at least 100 ms: shorter waits only keep a failing receiver busy", at: "first")
            retry.first = RetryPolicy.shortestFirst
        }
        retry.longest = own.duration("max") ?? max(retry.longest, retry.first)
        retry.giveUpAfter = own.duration("give-up-after") ?? retry.giveUpAfter
        retry.condition = own.choice("on", RetryPolicy.Condition.self) ?? .transient
        if retry.longest < retry.first { own.error("'max' must not be shorter than 'first'", at: "max") }
    }
}

/// A sink ready for use, with its policy.
public struct ConfiguredSink: Sendable {
    /// The sink.
    public var sink: any Sink
    /// The policy of the sink.
    public var policy: SinkPolicy

    /// A sink with its policy.
    public init(_ sink: any Sink, policy: SinkPolicy = SinkPolicy()) {
        self.sink = sink
        self.policy = policy
    }
}
