/// A ``Simulation`` as those see it who receive: one entry for each delivery and each record, in the order of their instants.
///
/// What was missed goes out at its slot, so that it may stand behind what came due later.
package struct Playback: Sendable {
    /// What happens at an instant.
    package struct Entry: Sendable {
        /// When.
        package var at: Timestamp
        /// What.
        package var event: Event
    }

    /// A delivery to one sink, or the record that there is none.
    package enum Event: Sendable {
        /// The firing goes to that sink.
        case delivery(Firing, Firing.Target)
        /// Nothing is sent.
        case omission(Omission)
    }

    private var simulation: Simulation
    private var upcoming: Simulation.Moment?
    /// Entries that are next, in reverse order.
    private var ready: [Entry] = []
    /// Entries at slots to come, in reverse order.
    private var waiting: [Entry] = []

    /// What that simulation yields.
    package init(_ simulation: Simulation) {
        self.simulation = simulation
        upcoming = self.simulation.next()
    }

    /// The next entry; nil at the end.
    package mutating func next() -> Entry? {
        while true {
            if let entry = ready.popLast() { return entry }
            guard let moment = upcoming else { return waiting.popLast() }
            // What is on time goes before what was missed.
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
        // Slots are given out in the order of time, so this is nearly in order already; equal ones stay as they are.
        waiting = (waiting.reversed() + later.reversed()).sorted { $0.at < $1.at }.reversed()
    }
}
