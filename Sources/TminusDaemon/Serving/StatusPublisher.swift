internal import Logging
internal import Synchronization
internal import TminusControl
internal import TminusCore
internal import TminusWatch

/// Publishes what is in force and what is wrong. For display only: no service of the daemon acts on it.
final class StatusPublisher: Sendable {
    /// Returns the state of the watching.
    private let watch: @Sendable () -> WatchStatus
    /// The labels of this machine.
    let labels: Set<MachineLabel>
    private let state = Mutex(State())

    private struct State {
        var load = LoadStatus()
        var inForce = LoadStatus()
        var store = StoreHealth.works
        var followers: [FleetMachine] = []
        /// Those with other definition files.
        var different: Set<String> = []
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var readerCount = 0
    }

    /// A publisher with nothing in force, on a machine with these labels.
    init(labels: Set<MachineLabel> = [], watch: @escaping @Sendable () -> WatchStatus) {
        self.labels = labels
        self.watch = watch
    }

    /// Records whether the store accepts writes.
    func store(_ health: StoreHealth) { change { $0.store = health } }

    /// Why nothing can be put in force; nil while the store works.
    var refusal: String? {
        state.withLock(\.store.refusal)
    }

    /// The refused kinds of writes, with reasons; empty while the store works.
    var storeProblems: [String] {
        switch state.withLock(\.store) {
        case .works: []
        case .refusesControls(let reason): ["the last control could not be written: \(reason)"]
        case .refuses(let reason):
            ["the store cannot be written, nothing fires, and deliveries and edits wait until it can: \(reason)"]
        }
    }

    /// Publishes which machines deliver beside this one, and the names of those that have other definition files.
    func publish(followers: [FleetMachine], different: Set<String>) {
        change { ($0.followers, $0.different) = (followers, different) }
    }

    /// The machines that deliver beside this one.
    var followers: [FleetMachine] { state.withLock(\.followers) }

    /// Identifies the content in force; nil if a file of it has an error.
    var soundHash: String? {
        state.withLock { $0.inForce.isLastSuccessful ? $0.inForce.hash : nil }
    }

    /// The names of the followers whose definition files differ, sorted.
    var differentFollowers: [String] { state.withLock(\.different).sorted() }

    /// The labels of each machine, this one first.
    var machines: [Set<MachineLabel>] { [labels] + followers.map(\.labels) }

    /// The sets of labels that sinks in force ask for and no machine has.
    var missingLabels: Set<Set<MachineLabel>> {
        let machines = machines
        return inForce.labelSets.filter { labels in !machines.contains { labels.isSubset(of: $0) } }
    }

    /// Publishes how the last load went.
    func publish(_ load: LoadStatus) { change { $0.load = load } }

    /// Publishes the load whose content is in force.
    func publish(inForce load: LoadStatus) { change { $0.inForce = load } }

    private func change(_ body: (inout State) -> Void) {
        let readers = state.withLock { state in
            body(&state)
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield() }
    }

    /// An element now and after each change; changes that a slow reader has not seen are one.
    var changes: AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.readerCount += 1
            state.readers[state.readerCount] = continuation
            continuation.yield()
            return state.readerCount
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.readers[number] = nil } }
        return stream
    }

    /// The state of the watching.
    var watchStatus: WatchStatus { watch() }

    /// The work since the start, for the log.
    var figures: Logger.Metadata {
        let (watch, load) = (watch(), load)
        return [
            "generation": "\(load.generation)", "hash": "\(load.hash ?? "-")", "files.parsed": "\(load.parsedFiles)",
            "watch.reads": "\(watch.reads)", "watch.scans": "\(watch.scans)", "watch.missed": "\(watch.missedChanges)",
        ]
    }

    /// How the last load went.
    var load: LoadStatus { state.withLock(\.load) }

    /// The load whose content is in force.
    var inForce: LoadStatus { state.withLock(\.inForce) }

    /// What is in force. Content counts as waiting only while the store refuses, because each edit is on its way for a moment.
    var live: LiveAnswer {
        state.withLock { state in
            let isOlder = state.inForce.generation != state.load.generation
            return state.inForce.live(isWaiting: isOlder && state.store.refusal != nil)
        }
    }
}
