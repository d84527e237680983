internal import Synchronization
internal import TminusCore

/// Looks for what sinks need, on another thread, and tells the loader. What is missing is looked for again when the process is awake
/// anyway, so that a warning goes once its reason is gone.
final class NeedWatch: Sendable {
    private struct State {
        /// What is missing, with the problems that the loader knows of.
        var missing: [SinkNeed.Thing: String] = [:]
        /// What is looked for now. A dead file system may never answer.
        var running: Set<SinkNeed.Thing> = []
    }

    private let inspector: any SinkNeedInspector
    private let loader: Mailbox<LoaderInput>
    private let state = Mutex(State())

    /// A watch that has not looked yet.
    init(_ inspector: any SinkNeedInspector, loader: Mailbox<LoaderInput>) {
        self.inspector = inspector
        self.loader = loader
    }

    /// From now on these things are missing, with these problems.
    func follow(_ missing: [SinkNeed.Thing: String]) { state.withLock { $0.missing = missing } }

    /// Looks again for what is missing, and tells the loader of changes only.
    func look() {
        let missing = state.withLock(\.missing)
        inspect(Set(missing.keys)) { $0 != missing }
    }

    /// Looks for these things, except for those that are being looked for already, and tells the loader.
    func inspect(_ things: Set<SinkNeed.Thing>) { inspect(things) { _ in true } }

    private func inspect(
        _ things: Set<SinkNeed.Thing>, isNews: @escaping @Sendable ([SinkNeed.Thing: String]) -> Bool
    ) {
        let new = state.withLock { state in
            let new = things.subtracting(state.running)
            state.running.formUnion(new)
            return new
        }
        guard !new.isEmpty else { return }
        inspector.inspect(new) { [self] problems in
            state.withLock { $0.running.subtract(new) }
            if isNews(problems) { loader.send(.inspected(new, problems)) }
        }
    }
}
