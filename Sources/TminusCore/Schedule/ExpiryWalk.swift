/// The due instants of an event's expiries: each occurrence delayed by its jitter.
///
/// The jitter depends only on the definition and the occurrence, is never negative, and never reaches the next
/// occurrence. So due instants keep the order of the occurrences, and a restart fires none twice.
struct ExpiryWalk: Sendable {
    let id: DefinitionID
    let trigger: Trigger
    /// The maximum jitter; zero for none.
    let jitter: Duration

    /// The earliest due instant after `cursor`; nil if there is none.
    func firstDue(after cursor: Timestamp) -> Timestamp? {
        guard let occurrence = firstOccurrence(dueAfter: cursor) else { return nil }
        return due(of: occurrence)
    }

    /// The occurrence whose expiry is the next one due after `cursor`; nil if there is none.
    func firstOccurrence(dueAfter cursor: Timestamp) -> Timestamp? {
        if jitter > .zero, let running = latest(atOrBefore: cursor), due(of: running) > cursor { return running }
        return trigger.next(after: cursor)
    }

    /// Calls `body` with each occurrence whose expiry is due after `cursor` and up to `now`.
    func forEach(
        dueAfter cursor: Timestamp, upTo now: Timestamp, _ body: (_ occurrence: Timestamp, _ due: Timestamp) -> Void
    ) {
        visit(dueAfter: cursor, upTo: now) { occurrence, due in
            body(occurrence, due)
            return .next
        }
    }

    /// Does the same as far as `body` says. Returns the occurrence `from` which to resume; nil at the end.
    @discardableResult
    func visit(
        dueAfter cursor: Timestamp, upTo now: Timestamp, from position: Timestamp? = nil,
        _ body: (_ occurrence: Timestamp, _ due: Timestamp) -> WalkStep
    ) -> Timestamp? {
        var found = position ?? (jitter > .zero ? latest(atOrBefore: cursor) : nil) ?? trigger.next(after: cursor)
        while let occurrence = found, occurrence <= now {
            let due = due(of: occurrence)
            if due > now { return nil }
            let step = due > cursor ? body(occurrence, due) : .next
            found = trigger.next(after: step.last ?? occurrence)
            if step.isStop { return found.flatMap { $0 <= now ? $0 : nil } }
        }
        return nil
    }

    /// The due instant of the expiry of an occurrence.
    func due(of occurrence: Timestamp) -> Timestamp {
        guard jitter > .zero else { return occurrence }
        var bound = jitter.nanoseconds
        if let next = trigger.next(after: occurrence) { bound = min(bound, occurrence.duration(to: next).nanoseconds) }
        guard bound > 0 else { return occurrence }
        var parts = DigestParts()
        parts.add(id.rawValue)
        parts.add(occurrence.nanoseconds)
        let hash = Digest128(of: parts).leadingBits
        // The high half of the product scales the hash to 0..<bound.
        return occurrence.advanced(by: .nanoseconds(hash.multipliedFullWidth(by: UInt64(bound)).high))
    }

    /// The last occurrence at or before `instant` whose jitter may extend beyond it.
    private func latest(atOrBefore instant: Timestamp) -> Timestamp? {
        trigger.last(atOrBefore: instant).flatMap { $0 > instant.advanced(by: .zero - jitter) ? $0 : nil }
    }
}

/// What a walk over due instants does after one of them.
struct WalkStep {
    /// The last occurrence that is dealt with; nil for the current one.
    var last: Timestamp?
    /// Whether the walk stops.
    var isStop = false

    /// The next occurrence follows.
    static let next = WalkStep()
}
