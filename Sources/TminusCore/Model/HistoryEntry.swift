/// What became of one action of an occurrence: every one has exactly one end.
public struct HistoryEntry: Sendable, Hashable {
    /// How it ended.
    public enum End: Sendable, Hashable {
        /// It is not over.
        case open
        /// Every sink that was to get it has it, since that instant.
        case delivered(Timestamp)
        /// A sink did not get it.
        case failed(reason: String)
        /// It was due and nothing was sent.
        case missed(Omission.Reason)
        /// Nothing was to be sent.
        case skipped(reason: String)
    }

    /// The instant of the occurrence; of several, the last.
    public var occurrence: Timestamp
    /// Which action, as stored: ``FiringAction/rawValue``.
    public var action: String
    /// When it was due; of several, the last.
    public var due: Timestamp
    /// How it ended.
    public var end: End
    /// For how many the entry stands; more than 1 only of what was not sent.
    public var count: Int

    /// An entry for something that fired.
    public init(occurrence: Timestamp, action: String, due: Timestamp, deliveries: [Part]) {
        self.init(occurrence: occurrence, action: action, due: due, end: Self.end(of: deliveries, due: due), count: 1)
    }

    /// An entry for something that was not sent.
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

    /// One delivery of something that fired.
    public struct Part: Sendable, Hashable {
        /// Where it stands.
        public var state: DeliveryState
        /// Why, unless it was delivered.
        public var reason: String?
        /// Since when it is over.
        public var settled: Timestamp?

        /// A part.
        public init(state: DeliveryState, reason: String?, settled: Timestamp?) {
            self.state = state
            self.reason = reason
            self.settled = settled
        }

        /// Why it failed. A discarded delivery keeps the reason of its last attempt.
        fileprivate var failure: String {
            let reason = reason ?? ""
            return state != .discarded || reason.hasPrefix("discarded") ? reason : "discarded after: \(reason)"
        }
    }

    /// Newest first, each action of an occurrence once: what fired counts before what is noted as not sent.
    public static func inOrder(_ entries: [HistoryEntry]) -> [HistoryEntry] {
        struct Key: Hashable {
            var occurrence: Timestamp
            var action: String
        }
        var seen: Set<Key> = []
        let unique = entries.filter { seen.insert(Key(occurrence: $0.occurrence, action: $0.action)).inserted }
        return unique.sorted { ($0.occurrence, $0.due, $0.action) > ($1.occurrence, $1.due, $1.action) }
    }

    /// The worst that became of the deliveries is what became of the whole.
    private static func end(of parts: [Part], due: Timestamp) -> End {
        if parts.isEmpty { return .skipped(reason: "it has no action") }
        if parts.contains(where: \.state.isOpen) { return .open }
        let failures: [DeliveryState] = [.dead, .discarded, .expired]
        if let part = parts.first(where: { failures.contains($0.state) }) { return .failed(reason: part.failure) }
        if let part = parts.first(where: { $0.state == .skipped }), !parts.contains(where: { $0.state == .delivered }) {
            return .skipped(reason: part.reason ?? "")
        }
        return .delivered(parts.compactMap(\.settled).max() ?? due)
    }
}

extension Omission.Reason {
    /// The end of what was not sent for this reason, which somebody may have added a note to.
    public func end(note: String?) -> HistoryEntry.End {
        switch self {
        case .superseded, .overLimit, .notCaughtUp, .tooLate: .missed(self)
        case .pastWhenDefined, .disabled, .removed, .muted, .skipped, .snoozed:
            .skipped(reason: note.map { "\(words) (\($0))" } ?? words)
        }
    }
}
