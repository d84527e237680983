import SimulationChecker
import TminusCore
import TminusDefinitions
import TminusTestKit

/// A process: the product's engine and loader, with what of them is under way.
struct Machine {
    /// An attempt that runs.
    struct Running {
        var attempt: Attempt
        /// Its number in the history.
        var number: Int
        var fate: Fate
        var isTaken = false
    }

    /// By how much the clock had been set, and how long the machine had slept, when the process started.
    struct Origin {
        var offset: Nanoseconds = 0
        var slept: Nanoseconds = 0
    }

    /// Tells the processes of a run apart.
    let number: Int
    let origin: Origin
    var engine: EngineState
    private var loader: DefinitionLoader
    private var hasSent = false
    private var sinks: [SinkKey: SinkSpec] = [:]
    /// What is to be kept of files.
    private var unkept: (changed: [String: KeptFile], forgotten: Set<String>) = ([:], [])
    var running: [Attempt.Number: Running] = [:]
    var isStopping = false
    /// How many more effects happen before it crashes; nil: it does not.
    var effectsLeft: Int?

    private static let registry = SinkRegistry([ProbeSink.self])

    /// What names a process in its claims.
    static func owner(_ number: Int) -> String { "process-\(number)" }

    /// Starts as the daemon does: recovery first, then the engine from what is stored, and the kept files.
    init(
        _ number: Int, _ simulated: SimulatedStore, _ reading: ClockReading, _ origin: Origin
    ) async throws(StoreError) {
        let store = simulated.stored
        _ = try await store.setAsideDamaged(now: reading.now)
        try await simulated.releaseFormerClaims(leader: number, now: reading.now)
        try await store.releaseFutureWaits(now: reading.now)
        self.init(number, try await store.snapshot(), labels: Plan.leaderLabels, reading, origin)
        loader.remember(try await store.keptFiles(root: Files.root))
    }

    /// Starts beside a leader, as a daemon does that stands by.
    init(follower number: Int, labels: Set<MachineLabel>, _ reading: ClockReading, _ origin: Origin) {
        self.init(number, StoreSnapshot(), isFollower: true, labels: labels, reading, origin)
    }

    private init(
        _ number: Int, _ snapshot: StoreSnapshot, isFollower: Bool = false, labels: Set<MachineLabel>,
        _ reading: ClockReading, _ origin: Origin
    ) {
        (self.number, self.origin) = (number, origin)
        engine = EngineState(
            snapshot, owner: Self.owner(number), source: "/tminus/simulation", at: reading, isFollower: isFollower,
            labels: labels
        ) { spec in
            Self.registry.make(spec, root: Files.root, reporting: DiagnosticBag(file: "store"))
        }
        let zones = ManualZones(["Zone/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3"])
        loader = DefinitionLoader(zones: zones, sinks: Self.registry, displayRoot: "")
    }

    /// The definition with that id that the files put in force.
    func definition(_ id: String) -> Definition? { DefinitionID(id).flatMap { loader.inForce.definitions[$0] } }

    /// Reads the files, and returns what the engine is to know of them, with the errors found in files.
    mutating func read(_ contents: DirectoryContents) -> (input: EngineInput?, errors: Set<String>) {
        let result = loader.load(contents, now: .distantPast)
        for path in result.forgotten {
            unkept.changed[path] = nil
            unkept.forgotten.insert(path)
        }
        for file in result.kept {
            unkept.changed[file.path] = file
            unkept.forgotten.remove(file.path)
        }
        let errors = Set(result.diagnostics.filter { $0.severity == .error }.map(\.location.file))
        defer { (hasSent, sinks) = (true, result.set.sinks) }
        if let changed = result.changed, hasSent {
            guard !changed.isEmpty || result.set.sinks != sinks else { return (nil, errors) }
            return (.schedule(.changes(result.set, of: changed)), errors)
        }
        guard result.isOther || !hasSent else { return (nil, errors) }
        return (.schedule(.definitions(result.set)), errors)
    }

    /// Whether content of files is not in the store yet.
    var hasUnkept: Bool { !unkept.changed.isEmpty || !unkept.forgotten.isEmpty }

    /// Has the store keep the content of files.
    mutating func keep(in store: any Store, now: Timestamp) async {
        guard hasUnkept else { return }
        let changed = unkept.changed.values.sorted { $0.path < $1.path }
        let isKept: Void? = try? await store.keep(
            changed, forget: unkept.forgotten.sorted(), root: Files.root, now: now)
        if isKept != nil { unkept = ([:], []) }
    }
}

extension Machine.Running {
    /// What the program learns of an attempt, as its runner makes it from what the sink says.
    func outcome(at reading: ClockReading, share: Double) async -> (outcome: AttemptOutcome, verdict: Verdict) {
        let claim = attempt.delivery.claim
        do throws(DeliveryError) {
            let report = try await ProbeSink.$refusal.withValue(fate.refusal) {
                () async -> Result<DeliveryReport, DeliveryError> in
                do throws(DeliveryError) {
                    return .success(try await attempt.sink.sink.deliver(attempt.delivery))
                } catch {
                    return .failure(error)
                }
            }.get()
            return (AttemptOutcome(of: attempt.number, .delivered, report: report, ended: reading), .delivered)
        } catch {
            let outcome = attempt.sink.policy.retry.outcome(
                of: error, attempt: claim.tries, since: claim.since(at: reading), expires: claim.expires,
                now: reading.now, share: share)
            return (
                AttemptOutcome(of: attempt.number, outcome, report: error.report, ended: reading),
                error.isTransient ? .mayPass : .hopeless
            )
        }
    }
}
