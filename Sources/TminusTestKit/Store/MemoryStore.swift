public import TminusCore

/// A store that forgets everything at the end of the process: the model of what every store does, for tests and simulations.
public final class MemoryStore: Store {
    private let outbox = Watched(MemoryOutbox())

    /// An empty store.
    public init() {}

    /// Every delivery, in the order in which it was written.
    public var deliveries: [MemoryDelivery] { outbox.value.allDeliveries }

    /// Makes every verb throw `error` and change nothing, until it is called with nil.
    public func fail(with error: StoreError?) { outbox.update { $0.trouble = error } }

    /// Waits until the deliveries are as asked; false if they were not within `limit` of steady time.
    public func wait(
        upTo limit: Duration = .seconds(600), until isSatisfied: @escaping @Sendable ([MemoryDelivery]) -> Bool
    ) async -> Bool {
        await outbox.wait(upTo: limit) { isSatisfied($0.allDeliveries) }
    }

    @discardableResult
    public func commit(_ commit: Commit, now: Timestamp) async throws(StoreError) -> Committed {
        try perform { $0.commit(commit, now: now) }
    }

    public func snapshot() async throws(StoreError) -> StoreSnapshot {
        try perform { outbox in
            let schedules = outbox.schedules.values.sorted { $0.id < $1.id }
            let expiries = outbox.openDeliveries().compactMap(\.expiry).filter(outbox.isAwaited)
            return StoreSnapshot(schedules: schedules, openExpiries: Set(expiries), mute: outbox.mute)
        }
    }

    public func keptFiles(root: String) async throws(StoreError) -> KeptFiles {
        try perform { outbox in
            let own = outbox.kept[root, default: [:]]
            let files = own.merging(outbox.kept[KeptFiles.fleetRoot, default: [:]]) { own, _ in own }.values
            let inForce = outbox.sinks.values.filter { $0.retired == nil && $0.spec.name != nil }.map(\.spec)
            return KeptFiles(
                files: files.sorted { $0.path < $1.path }, sinks: inForce.sorted { $0.key < $1.key })
        }
    }

    public func keep(_ changed: [KeptFile], forget: [String], root: String, now: Timestamp) async throws(StoreError) {
        try perform { outbox in
            let adopted = root == KeptFiles.fleetRoot ? nil : outbox.kept.removeValue(forKey: KeptFiles.fleetRoot)
            outbox.kept[root, default: [:]].merge(adopted ?? [:]) { own, _ in own }
            for path in forget { outbox.kept[root]?[path] = nil }
            for file in changed { outbox.kept[root, default: [:]][file.path] = file }
        }
    }

    public func adHocDefinitions() async throws(StoreError) -> [AdHocDefinition] {
        try perform { $0.adHoc.values.sorted { $0.id < $1.id } }
    }

    public func add(_ definition: AdHocDefinition) async throws(StoreError) {
        try perform { $0.adHoc[definition.id] = definition }
    }

    public func removeAdHoc(_ ids: [DefinitionID]) async throws(StoreError) -> Int {
        try perform { outbox in ids.count { outbox.adHoc.removeValue(forKey: $0) != nil } }
    }

    public func close() async throws(StoreError) { fail(with: StoreError(.other, "memory: the store is closed")) }

    func perform<Value: Sendable>(_ verb: (inout MemoryOutbox) -> Value) throws(StoreError) -> Value {
        try outbox.update { outbox -> Result<Value, StoreError> in
            outbox.touched = []
            return if let trouble = outbox.trouble { .failure(trouble) } else { .success(verb(&outbox)) }
        }.get()
    }
}
