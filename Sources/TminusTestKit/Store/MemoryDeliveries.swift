import TminusCore

/// Deliveries by id; those that are pending stand in a line for each sink as well, by when they are due, so that a claim looks only
/// at what it takes.
struct MemoryDeliveries: Sendable {
    /// A pending delivery in the line.
    private struct Turn: Sendable, Comparable {
        var next: Timestamp
        var number: Int
        var id: DeliveryID

        static func < (left: Self, right: Self) -> Bool { (left.next, left.number) < (right.next, right.number) }
    }

    private var byID: [DeliveryID: Boxed<MemoryDelivery>] = [:]
    /// Sorted. A turn whose delivery is no longer pending for that instant stays until it is reached.
    private var lines: [SinkKey: [Turn]] = [:]
    /// Where each line begins: what is before has been taken.
    private var heads: [SinkKey: Int] = [:]

    /// All of them, in no order.
    var values: some Collection<MemoryDelivery> { byID.values.lazy.map(\.value) }

    /// Their ids, in no order.
    var ids: some Collection<DeliveryID> { byID.keys }

    subscript(id: DeliveryID) -> MemoryDelivery? {
        get { byID[id]?.value }
        set {
            guard let newValue else {
                byID[id] = nil
                return
            }
            let former = byID.updateValue(.of(newValue), forKey: id)
            guard let turn = Self.turn(newValue), turn != former.flatMap({ Self.turn($0.value) }) else { return }
            insert(turn, to: newValue.sink)
        }
    }

    /// Takes the pending delivery that is due first out of the lines for which there is room; nil if none is due.
    mutating func popFirst(upTo now: Timestamp, where hasRoom: (SinkKey) -> Bool) -> MemoryDelivery? {
        var best: (turn: Turn, sink: SinkKey)?
        for sink in lines.keys where hasRoom(sink) {
            guard let turn = first(of: sink), turn.next <= now else { continue }
            if let best, best.turn < turn { continue }
            best = (turn, sink)
        }
        guard let best else { return nil }
        heads[best.sink, default: 0] += 1
        return byID[best.turn.id]?.value
    }

    /// The earliest instant after `instant` at which one is due.
    func next(after instant: Timestamp) -> Timestamp? {
        lines.compactMap { sink, line in
            var (low, high) = (heads[sink, default: 0], line.count)
            while low < high {
                let middle = (low + high) / 2
                if line[middle].next > instant { high = middle } else { low = middle + 1 }
            }
            return line[low...].first { isValid($0) }?.next
        }.min()
    }

    private mutating func insert(_ turn: Turn, to sink: SinkKey) {
        let head = heads[sink, default: 0]
        if head > 1_024, head * 2 > lines[sink, default: []].count {
            lines[sink]?.removeFirst(head)
            heads[sink] = 0
        }
        // Nearly always behind all others.
        var index = lines[sink, default: []].count
        while index > heads[sink, default: 0], let former = lines[sink]?[index - 1], turn < former { index -= 1 }
        lines[sink, default: []].insert(turn, at: index)
    }

    /// The first of a line; what is not valid before it is dropped.
    private mutating func first(of sink: SinkKey) -> Turn? {
        while let line = lines[sink], heads[sink, default: 0] < line.count {
            let head = heads[sink, default: 0]
            if isValid(line[head]) { return line[head] }
            heads[sink] = head + 1
        }
        return nil
    }

    private func isValid(_ turn: Turn) -> Bool { byID[turn.id].flatMap { Self.turn($0.value) } == turn }

    private static func turn(_ delivery: MemoryDelivery) -> Turn? {
        guard delivery.state == .pending else { return nil }
        return Turn(next: delivery.nextAttempt, number: delivery.number, id: delivery.id)
    }
}
