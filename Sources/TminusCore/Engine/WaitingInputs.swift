internal import DequeModule

/// The inputs of the schedule that wait for their turn, in order.
///
/// Definitions decide from the instant at which the engine got them, however long they then wait for a flood or for a store that
/// refuses: an instant that passes meanwhile is due, and not past. Only the newest set is kept, because edits must not pile up; each
/// changed definition keeps the instant of its own last edit.
struct WaitingInputs: Sendable {
    /// An input whose turn has come.
    struct Next {
        var input: ScheduleInput
        /// The instant at which it applies.
        var instant: Timestamp
        /// Whether it has the last of the definitions that wait.
        var isLastOfDefinitions: Bool
        /// The generation of the config directory that is in force with it; nil if a part of that still waits, or if it is no definitions.
        var generation: Int? { isLastOfDefinitions ? input.set?.generation : nil }
    }

    private struct Entry: Sendable {
        var input: ScheduleInput
        /// When the engine got it; nil if the input is no definitions.
        var since: Timestamp?
    }

    /// How many definitions of the first set are one input.
    private let firstPart: Int
    private var entries: Deque<Entry> = []
    /// Whether any definitions were ever added.
    private var hasDefinitions = false

    init(firstPart: Int) {
        self.firstPart = firstPart
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Whether the first input moves the clock that others are judged by.
    var beginsWithClock: Bool { entries.first?.input.movesClock ?? false }

    /// Until when the definitions that are in force decide: the instant of the next ones that wait, or now.
    func horizon(_ now: Timestamp) -> Timestamp {
        entries.lazy.compactMap(\.since).first.map { min($0, now) } ?? now
    }

    /// Adds an input.
    mutating func append(_ input: ScheduleInput, at now: Timestamp) {
        switch input {
        case .definitions(let set, _): append(set, at: now)
        case .changes(let set, let ids): append(set, of: ids, at: now)
        default: entries.append(Entry(input: input))
        }
    }

    /// Adds an input that comes before those that wait; what moves the clock stays before all others.
    ///
    /// Moves of the clock that wait together are one. Otherwise the first one would be judged by the clock after all of them.
    mutating func prepend(_ input: ScheduleInput) {
        let moves = entries.prefix { $0.input.movesClock }.count
        for index in 0..<moves {
            guard let both = entries[index].input.joined(with: input) else { continue }
            entries[index].input = both
            return
        }
        entries.insert(Entry(input: input), at: input.movesClock ? 0 : moves)
    }

    /// The clock was set: what waits applies at the same moment as before.
    mutating func clockSet(by step: Duration) {
        for index in entries.indices { entries[index].since = entries[index].since?.advanced(by: step) }
    }

    mutating func popFirst(now: Timestamp) -> Next? {
        guard let entry = entries.popFirst() else { return nil }
        return Next(
            input: entry.input, instant: entry.since.map { min($0, now) } ?? now,
            isLastOfDefinitions: entry.since != nil && !entries.contains { $0.since != nil })
    }

    private mutating func append(_ set: DefinitionSet, at now: Timestamp) {
        if let waiting = entries.last(where: { $0.since != nil })?.input.set {
            return append(set, of: set.changes(since: waiting), at: now)
        }
        let isFirst = !hasDefinitions && set.definitions.count > firstPart
        hasDefinitions = true
        let parts = isFirst ? set.parts(of: firstPart, among: set.definitions.keys) : []
        entries += (parts.map { .changes(set, of: $0) } + [.definitions(set)]).map { Entry(input: $0, since: now) }
    }

    private mutating func append(_ set: DefinitionSet, of ids: Set<DefinitionID>, at now: Timestamp) {
        let isBehindWhole = entries.contains { if case .definitions = $0.input { true } else { false } }
        let edited = ids.filter { !isSame($0, in: set) }
        for index in entries.indices {
            switch entries[index].input {
            case .definitions(_, let others): entries[index].input = .definitions(set, except: others.union(edited))
            case .changes(_, let former): entries[index].input = .changes(set, of: former.subtracting(edited))
            case .due, .ended, .control, .controlAll, .clockStepped, .slept: break
            }
        }
        entries.removeAll { if case .changes(_, let ids) = $0.input { ids.isEmpty } else { false } }
        hasDefinitions = true
        let parts = isBehindWhole && edited.count > firstPart ? set.parts(of: firstPart, among: edited) : [edited]
        entries += parts.map { Entry(input: .changes(set, of: $0), since: now) }
    }

    /// Whether what waits of a definition differs from the same in a set by nothing but its place in the files.
    private func isSame(_ id: DefinitionID, in set: DefinitionSet) -> Bool {
        let waiting = entries.last { entry in
            switch entry.input {
            case .definitions(_, let others): !others.contains(id)
            case .changes(_, let ids): ids.contains(id)
            case .due, .ended, .control, .controlAll, .clockStepped, .slept: false
            }
        }
        guard var former = waiting?.input.set?.definitions[id], let definition = set.definitions[id] else {
            return false
        }
        former.origin = definition.origin
        return former == definition
    }
}

extension ScheduleInput {
    fileprivate var movesClock: Bool {
        switch self {
        case .clockStepped, .slept: true
        case .definitions, .changes, .due, .ended, .control, .controlAll: false
        }
    }

    /// Both moves of the clock as one; nil if they are no moves of the same kind.
    fileprivate func joined(with other: ScheduleInput) -> ScheduleInput? {
        switch (self, other) {
        case (.clockStepped(let first), .clockStepped(let second)): .clockStepped(by: first + second)
        case (.slept(let first), .slept(let second)): .slept(for: first + second)
        default: nil
        }
    }

    /// The definitions that it puts in force; nil if it is another input.
    package var set: DefinitionSet? {
        switch self {
        case .definitions(let set, _), .changes(let set, _): set
        default: nil
        }
    }
}

extension DefinitionSet {
    /// Which definitions are others than in a former set, or gone.
    fileprivate func changes(since former: DefinitionSet) -> Set<DefinitionID> {
        let gone = former.definitions.keys.filter { definitions[$0] == nil }
        let others = definitions.keys.filter { definitions[$0] != former.definitions[$0] }
        return Set(gone + others)
    }

    /// Some ids in their order, in parts of a size.
    fileprivate func parts(of size: Int, among ids: some Collection<DefinitionID>) -> [Set<DefinitionID>] {
        let ids = ids.sorted()
        return stride(from: 0, to: ids.count, by: size).map { Set(ids[$0..<min($0 + size, ids.count)]) }
    }
}
