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

        var first: Attempt? { head < attempts.count ? attempts[head] : nil }

        mutating func append(_ attempt: Attempt) { attempts.append(attempt) }

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

    /// Adds an attempt; true if it is to begin, otherwise it waits.
    mutating func add(_ attempt: Attempt) -> Bool {
        // No copy of the line is held: it would be copied whole when it changes.
        guard lines[attempt.lane]?.first == nil, hasRoom(lines[attempt.lane]?.running ?? 0, attempt) else {
            lines[attempt.lane, default: Line()].append(attempt)
            waiting += 1
            return false
        }
        lines[attempt.lane, default: Line()].running += 1
        running += 1
        return true
    }

    /// Takes note that an attempt has ended, and returns the one that is to begin in its place, if one waits: of the same lane, or
    /// of one that had to wait for what all have together.
    mutating func end(_ attempt: Attempt) -> Attempt? {
        guard lines[attempt.lane] != nil else { return nil }
        lines[attempt.lane]?.running -= 1
        running -= 1
        defer { forget(attempt.lane) }
        guard waiting > 0 else { return nil }
        return next(of: attempt.lane)
            ?? lines.keys.lazy.compactMap { [self] in first(of: $0) }.first.flatMap { next(of: $0.lane) }
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
            forget(lane)
        }
        waiting -= withdrawn.count
        return withdrawn
    }

    /// Whether an attempt can begin beside so many of its lane.
    private func hasRoom(_ others: Int, _ attempt: Attempt) -> Bool {
        running < Self.limit ? others < attempt.sink.maxConcurrent : others == 0 && running < Self.firmLimit
    }

    /// The first in a line, if it may begin.
    private func first(of lane: SinkLane.ID) -> Attempt? {
        guard let line = lines[lane], let first = line.first, hasRoom(line.running, first) else { return nil }
        return first
    }

    /// Takes the first out of a line to begin it.
    private mutating func next(of lane: SinkLane.ID) -> Attempt? {
        guard let first = first(of: lane) else { return nil }
        lines[lane]?.removeFirst()
        lines[lane]?.running += 1
        waiting -= 1
        running += 1
        return first
    }

    private mutating func forget(_ lane: SinkLane.ID) {
        if let line = lines[lane], line.running == 0, line.first == nil { lines[lane] = nil }
    }
}
