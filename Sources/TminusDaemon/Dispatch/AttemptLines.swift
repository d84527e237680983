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
        let made: MadeSink
        var running = 0
        /// In their order; those before `head` have begun.
        private var claimed: [ClaimedDelivery] = []
        private var head = 0
        private var stops: [String: AttemptStop] = [:]

        init(_ made: MadeSink) { self.made = made }

        /// Whether there is nothing left in it.
        var isOver: Bool { running == 0 && !isAnyWaiting }
        var isAnyWaiting: Bool { head < claimed.count }

        mutating func append(_ group: AttemptGroup) {
            // The array itself, if nothing else waits.
            if isAnyWaiting { claimed += group.claimed } else { (claimed, head) = (Array(group.claimed), 0) }
            stops.merge(group.stops) { _, later in later }
        }

        /// Takes the first out. What has begun is let go now and then, so that each costs the same however many wait.
        mutating func takeFirst() -> Attempt {
            let first = attempt(claimed[head])
            head += 1
            if head * 2 >= claimed.count {
                claimed.removeFirst(head)
                head = 0
            }
            return first
        }

        /// Removes and returns those that are asked for.
        mutating func removeAll(_ isWanted: (ClaimedDelivery, SinkLane.ID) -> Bool) -> [Attempt] {
            var (kept, removed) = ([ClaimedDelivery](), [Attempt]())
            for claimed in claimed[head...] {
                if isWanted(claimed, made.lane) { removed.append(attempt(claimed)) } else { kept.append(claimed) }
            }
            (claimed, head) = (kept, 0)
            return removed
        }

        private mutating func attempt(_ claimed: ClaimedDelivery) -> Attempt {
            let stop = stops.isEmpty ? nil : stops.removeValue(forKey: claimed.token)
            return Attempt(claimed: claimed, made: made, stop: stop)
        }
    }

    private var lines: [Line] = []
    /// The number of the line of each sink, which is in it.
    private var numbers: [ObjectIdentifier: Int] = [:]
    /// The line that was looked up last: mostly it is the next as well.
    private var latest = 0
    private(set) var running = 0
    private(set) var waiting = 0

    /// Adds attempts behind those that wait. Returns their sinks, each once: there may be room in them (``next(of:)``).
    mutating func add(_ groups: [AttemptGroup]) -> [MadeSink] {
        var sinks: [MadeSink] = []
        for group in groups {
            lines[number(of: group.made) ?? add(Line(group.made))].append(group)
            waiting += group.claimed.count
            if !sinks.contains(where: { $0 === group.made }) { sinks.append(group.made) }
        }
        return sinks
    }

    /// Takes note that an attempt has ended, and returns the one that is to begin in its place, if one waits: of the same sink, or
    /// of one that had to wait for what all have together.
    mutating func end(_ attempt: Attempt) -> Attempt? {
        guard let number = number(of: attempt.made) else { return nil }
        lines[number].running -= 1
        running -= 1
        if isReady(number) { return next(number) }
        if lines[number].isOver { remove(number) }
        guard waiting > 0 else { return nil }
        return lines.indices.first { isReady($0) }.map { next($0) }
    }

    /// Takes the first that waits for a sink out to begin it; nil if none waits, or there is no room for it.
    mutating func next(of made: MadeSink) -> Attempt? {
        guard let number = number(of: made), isReady(number) else { return nil }
        return next(number)
    }

    /// Removes and returns those that wait and are asked for.
    mutating func withdraw(_ isWanted: (ClaimedDelivery, SinkLane.ID) -> Bool) -> [Attempt] {
        guard waiting > 0 else { return [] }
        var withdrawn: [Attempt] = []
        // From the last: to remove one moves the last to its place.
        for number in lines.indices.reversed() {
            withdrawn += lines[number].removeAll(isWanted)
            if lines[number].isOver { remove(number) }
        }
        waiting -= withdrawn.count
        return withdrawn
    }

    /// Whether the first in a line may begin.
    private func isReady(_ number: Int) -> Bool {
        guard lines[number].isAnyWaiting else { return false }
        let others = lines[number].running
        guard running < Self.limit else { return others == 0 && running < Self.firmLimit }
        return others < lines[number].made.maxConcurrent
    }

    /// Takes the first in a line out, which is ready.
    private mutating func next(_ number: Int) -> Attempt {
        waiting -= 1
        running += 1
        lines[number].running += 1
        return lines[number].takeFirst()
    }

    private mutating func number(of made: MadeSink) -> Int? {
        if lines.indices.contains(latest), lines[latest].made === made { return latest }
        guard let number = numbers[ObjectIdentifier(made)] else { return nil }
        latest = number
        return number
    }

    private mutating func add(_ line: Line) -> Int {
        numbers[ObjectIdentifier(line.made)] = lines.count
        lines.append(line)
        return lines.count - 1
    }

    /// Removes a line, and gives its number to the last.
    private mutating func remove(_ number: Int) {
        numbers[ObjectIdentifier(lines[number].made)] = nil
        lines.swapAt(number, lines.count - 1)
        lines.removeLast()
        if number < lines.count { numbers[ObjectIdentifier(lines[number].made)] = number }
    }
}
