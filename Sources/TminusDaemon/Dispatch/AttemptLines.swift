internal import TminusCore

/// Which of the attempts in hand run, and which stand in line for their sink.
///
/// More is claimed for a sink that is quick than it runs at once, so that whoever ends an attempt can begin the next one: between
/// two there is neither the store nor the dispatcher.
struct AttemptLines: Sendable {
    /// How many attempts may run at once in all lanes together.
    static let limit = 256
    /// Beyond the limit every sink may still run one, up to so many in all: sinks with much room of their own that hang must not
    /// take all room from the others.
    static let firmLimit = 4_096

    private struct Line {
        var running = 0
        /// In their order; those before `head` have begun.
        private var attempts: [Attempt] = []
        private var head = 0

        /// Whether there is nothing left in it.
        var isOver: Bool { running == 0 && first == nil }
        var first: Attempt? { head < attempts.count ? attempts[head] : nil }

        mutating func append(_ more: some Collection<Attempt>) { attempts += more }

        /// Takes the first out. What has begun is let go now and then, so that each costs the same however many wait.
        mutating func removeFirst() {
            head += 1
            guard head * 2 >= attempts.count else { return }
            attempts.removeFirst(head)
            head = 0
        }

        mutating func removeAll(_ isWanted: (Attempt) -> Bool) {
            attempts.removeFirst(head)
            head = 0
            attempts.removeAll(where: isWanted)
        }
    }

    private var lines: [SinkLane.ID: Line] = [:]
    private(set) var running = 0
    private(set) var waiting = 0

    /// Adds attempts behind those that wait. Returns their lanes, each once: there may be room in them (``next(of:)``).
    mutating func add(_ attempts: [Attempt]) -> [SinkLane.ID] {
        var lanes: [SinkLane.ID] = []
        var rest = attempts[...]
        // Many in a row are of one lane.
        while let lane = rest.first?.lane {
            let group = rest.prefix { $0.lane == lane }
            lines[lane, default: Line()].append(group)
            if !lanes.contains(lane) { lanes.append(lane) }
            rest = rest[group.endIndex...]
        }
        waiting += attempts.count
        return lanes
    }

    /// Takes note that an attempt has ended, and returns the one that is to begin in its place, if one waits: of the same lane, or
    /// of one that had to wait for what all have together.
    mutating func end(_ attempt: Attempt) -> Attempt? {
        guard let place = lines.index(forKey: attempt.lane) else { return nil }
        lines.values[place].running -= 1
        running -= 1
        guard waiting > 0 else {
            forget(place)
            return nil
        }
        if let next = next(at: place) { return next }
        forget(place)
        return lines.indices.first { isReady(at: $0) }.flatMap { next(at: $0) }
    }

    /// Takes the first of a line out to begin it; nil if none waits, or there is no room for it.
    mutating func next(of lane: SinkLane.ID) -> Attempt? {
        lines.index(forKey: lane).flatMap { next(at: $0) }
    }

    /// Removes and returns those that wait and are asked for.
    mutating func withdraw(_ isWanted: (Attempt) -> Bool) -> [Attempt] {
        guard waiting > 0 else { return [] }
        var withdrawn: [Attempt] = []
        for lane in Array(lines.keys) {
            lines[lane]?.removeAll { attempt in
                guard isWanted(attempt) else { return false }
                withdrawn.append(attempt)
                return true
            }
        }
        lines = lines.filter { !$0.value.isOver }
        waiting -= withdrawn.count
        return withdrawn
    }

    /// Whether an attempt can begin beside so many of its lane.
    private func hasRoom(_ others: Int, _ attempt: Attempt) -> Bool {
        running < Self.limit ? others < attempt.sink.maxConcurrent : others == 0 && running < Self.firmLimit
    }

    /// Whether the first in a line may begin.
    private func isReady(at place: Dictionary<SinkLane.ID, Line>.Index) -> Bool {
        lines.values[place].first.map { hasRoom(lines.values[place].running, $0) } ?? false
    }

    private mutating func next(at place: Dictionary<SinkLane.ID, Line>.Index) -> Attempt? {
        guard isReady(at: place), let first = lines.values[place].first else { return nil }
        lines.values[place].removeFirst()
        lines.values[place].running += 1
        waiting -= 1
        running += 1
        return first
    }

    private mutating func forget(_ place: Dictionary<SinkLane.ID, Line>.Index) {
        if lines.values[place].isOver { lines.remove(at: place) }
    }
}
