internal import TminusCore

/// The deliveries that wait because no machine has the labels of their sinks.
struct UnplacedDeliveries {
    /// The sinks with such deliveries.
    let sinks: [SinkStanding]

    /// Finds them among the undelivered ones. `machines` are the labels of each machine.
    init(_ standing: DeliveryStanding?, machines: [Set<MachineLabel>]) {
        sinks = (standing?.sinks ?? []).filter { sink in
            sink.waiting + sink.undelivered.retrying > 0
                && !machines.contains { sink.labels.isSubset(of: $0) }
        }
    }

    /// A sentence for each set of labels, sorted.
    var messages: [String] {
        Dictionary(grouping: sinks, by: \.labels).map { labels, sinks in
            let count = sinks.reduce(0) { $0 + $1.waiting + $1.undelivered.retrying }
            let deliveries = count == 1 ? "1 delivery" : "\(count) deliveries"
            let target = sinks.count == 1 ? sinks[0].title : "\(sinks.count) sinks"
            return "\(deliveries) to \(target) wait for a machine with the labels \(MachineLabel.list(labels))"
        }.sorted()
    }
}
