/// The end of one action of one occurrence. Every action has exactly one end.
public struct HistoryEntry: Sendable, Hashable {
    /// How an action ended.
    public enum End: Sendable, Hashable {
        /// It has not ended.
        case open
        /// Every sink that it was sent to acknowledged it, the last one at the given instant.
        case delivered(Timestamp)
        /// A sink did not receive it.
        case failed(reason: String)
        /// It was due, and nothing was sent.
        case missed(Omission.Reason)
        /// It was not meant to be sent.
        case skipped(reason: String)
    }

    /// The instant of the occurrence; the last one if there are several.
    public var occurrence: Timestamp
    /// The action in its stored form: ``FiringAction/rawValue``.
    public var action: String
    /// When it was due; for several, the last time.
    public var due: Timestamp
    /// How it ended.
    public var end: End
    /// The number of firings that the entry represents; more than 1 only for omitted ones.
    public var count: Int

    /// An entry for a firing.
    public init(occurrence: Timestamp, action: String, due: Timestamp, deliveries: [Part]) {
        self.init(occurrence: occurrence, action: action, due: due, end: Self.end(of: deliveries, due: due), count: 1)
    }

    /// An entry for an omission.
    public init(_ omission: Omission) {
        self.init(
            occurrence: omission.occurrence, action: omission.action.rawValue, due: omission.due,
            end: omission.reason.end(note: omission.note), count: omission.count)
    }

    /// An entry with all its fields.
    public init(occurrence: Timestamp, action: String, due: Timestamp, end: End, count: Int) {
        self.occurrence = occurrence
        self.action = action
        self.due = due
        self.end = end
        self.count = count
    }

    /// One delivery of a firing.
    public struct Part: Sendable, Hashable {
        /// The state of the delivery.
        public var state: DeliveryState
        /// The reason, unless it was delivered.
        public var reason: String?
        /// When it ended; nil while it is open.
        public var settled: Timestamp?

        /// A delivery with all its fields.
        public init(state: DeliveryState, reason: String?, settled: Timestamp?) {
            self.state = state
            self.reason = reason
            self.settled = settled
        }

        /// Why it failed. A discarded delivery keeps the reason of its last attempt.
        fileprivate var failure: String {
            let reason = reason ?? ""
            if state != .discarded || reason.hasPrefix(FixedReason.discarded.rawValue) { return reason }
            return FixedReason.discardedAfter + reason
        }
    }

    /// The entries, newest first, with each action of an occurrence once: a firing takes precedence over an omission.
    public static func inOrder(_ entries: [HistoryEntry]) -> [HistoryEntry] {
        struct Key: Hashable {
            var occurrence: Timestamp
            var action: String
        }
        var seen: Set<Key> = []
        let unique = entries.filter { seen.insert(Key(occurrence: $0.occurrence, action: $0.action)).inserted }
        return unique.sorted { ($0.occurrence, $0.due, $0.action) > ($1.occurrence, $1.due, $1.action) }
    }

    /// The end of a firing: open while a delivery is open, failed if any delivery failed, skipped if a delivery was
    /// skipped and none was delivered.
    private static func end(of parts: [Part], due: Timestamp) -> End {
        if parts.isEmpty { return .skipped(reason: FixedReason.noAction.rawValue) }
        if parts.contains(where: \.state.isOpen) { return .open }
        let failures: [DeliveryState] = [.dead, .discarded, .expired]
        if let part = parts.first(where: { failures.contains($0.state) }) { return .failed(reason: part.failure) }
        if let part = parts.first(where: { $0.state == .skipped }), !parts.contains(where: { $0.state == .delivered }) {
            return .skipped(reason: part.reason ?? "")
        }
        return .delivered(parts.filter { $0.state == .delivered }.compactMap(\.settled).max() ?? due)
    }
}

/// An entry of the history of all definitions.
public struct RecentEntry: Sendable, Hashable {
    /// The definition.
    public var definition: DefinitionID
    /// How one of its actions ended.
    public var entry: HistoryEntry

    /// An entry of the given definition.
    public init(definition: DefinitionID, entry: HistoryEntry) {
        self.definition = definition
        self.entry = entry
    }

    /// The newest `limit` entries by their due instants, newest first, with each action of an occurrence once.
    public static func newest(_ entries: [RecentEntry], limit: Int) -> [RecentEntry] {
        var all: [RecentEntry] = []
        for (definition, own) in Dictionary(grouping: entries, by: \.definition) {
            all += HistoryEntry.inOrder(own.map(\.entry)).map { RecentEntry(definition: definition, entry: $0) }
        }
        all.sort {
            ($0.entry.due, $0.definition, $0.entry.action) > ($1.entry.due, $1.definition, $1.entry.action)
        }
        return Array(all.prefix(max(0, limit)))
    }
}

extension Omission.Reason {
    /// The end of an action that was omitted for this reason, with the user's note.
    public func end(note: String?) -> HistoryEntry.End {
        switch self {
        case .superseded, .overLimit, .notCaughtUp, .tooLate: .missed(self)
        case .pastWhenDefined, .editedAway, .disabled, .removed, .muted, .skipped, .snoozed, .restored:
            .skipped(reason: note.map { "\(words) (\($0))" } ?? words)
        }
    }
}
