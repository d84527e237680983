/// A ``Simulation`` from the receivers' view: one entry per delivery or omission, sorted by instant.
///
/// A missed firing is delivered at its slot, so it can come after a firing that was due later.
package struct Playback: Sendable {
    /// One delivery or omission.
    package struct Entry: Sendable {
        /// When it happens.
        package var at: Timestamp
        /// What happens.
        package var event: Event
    }

    /// A delivery to one sink, or an omission.
    package enum Event: Sendable {
        /// The firing is delivered to the sink.
        case delivery(Firing, Firing.Target)
        /// Nothing is sent.
        case omission(Omission)
    }

    private var simulation: Simulation
    private var upcoming: Simulation.Moment?
    /// Entries of the current moment, in reverse order.
    private var ready: [Entry] = []
    /// Entries at future slots, in reverse order.
    private var waiting: [Entry] = []

    /// Plays back `simulation`.
    package init(_ simulation: Simulation) {
        self.simulation = simulation
        upcoming = self.simulation.next()
    }

    /// The next entry; nil at the end.
    package mutating func next() -> Entry? {
        while true {
            if let entry = ready.popLast() { return entry }
            guard let moment = upcoming else { return waiting.popLast() }
            // At the same instant, firings that are on time precede missed ones.
            if let slot = waiting.last, slot.at < moment.now { return waiting.popLast() }
            upcoming = simulation.next()
            take(moment)
        }
    }

    private mutating func take(_ moment: Simulation.Moment) {
        var later: [Entry] = []
        for omission in moment.omissions.reversed() { ready.append(Entry(at: moment.now, event: .omission(omission))) }
        for firing in moment.firings.reversed() {
            let at = firing.notBefore ?? moment.now
            for target in firing.targets.reversed() {
                let entry = Entry(at: at, event: .delivery(firing, target))
                if firing.notBefore == nil { ready.append(entry) } else { later.append(entry) }
            }
        }
        guard !later.isEmpty else { return }
        // Nearly sorted already, since slots are assigned in order; entries at equal instants keep their order.
        waiting = (waiting.reversed() + later.reversed()).sorted { $0.at < $1.at }.reversed()
    }
}
