import TminusCore

extension Transaction {
    /// The numbers of undelivered deliveries, by sink and by definition.
    func standing() throws -> DeliveryStanding {
        var sinks: [String: SinkStanding] = [:]
        var troubled: [DefinitionID: UndeliveredCount] = [:]
        func change(_ sink: String, _ body: (inout SinkStanding) -> Void) {
            body(&sinks[sink, default: SinkStanding(sink: SinkKey(sink))])
        }
        try forEach(StandingStatements.pending) { row in
            let (count, next) = (try row.count(1), try row.instant(2))
            change(try row.text(0)) { ($0.waiting, $0.nextAttempt) = (count, next) }
        }
        try forEach(StandingStatements.queued) { row in
            let count = try row.count(1)
            change(try row.text(0)) { $0.waiting += count }
        }
        try forEach(StandingStatements.claimed) { row in
            let count = try row.count(1)
            change(try row.text(0)) { $0.running += count }
        }
        try forEach(StandingStatements.retrying) { row in
            let (count, next) = (try row.count(2), try row.instant(3))
            change(try row.text(0)) { sink in
                sink.waiting -= count
                sink.undelivered.add(retrying: count, next: next)
            }
            if let id = DefinitionID(try row.text(1)) {
                troubled[id, default: UndeliveredCount()].add(retrying: count, next: next)
            }
        }
        try forEach(StandingStatements.dead) { row in
            let (count, oldest) = (try row.count(2), try row.instant(3))
            change(try row.text(0)) { $0.undelivered.add(dead: count, oldest: oldest) }
            if let id = DefinitionID(try row.text(1)) {
                troubled[id, default: UndeliveredCount()].add(dead: count, oldest: oldest)
            }
        }
        for key in sinks.keys {
            try forEach(StandingStatements.sink, key) { row in
                let (title, isAwaited) = (try row.text(0), try row.number(1) != 0)
                let labels = try row.optionalText(2).flatMap { SinkSpec(stored: $0)?.machineLabels } ?? []
                change(key) { ($0.title, $0.isAwaited, $0.labels) = (title, isAwaited, labels) }
            }
        }
        return DeliveryStanding(sinks: sinks.values.sorted { $0.sink < $1.sink }, troubled: troubled)
    }

    /// The numbers of deliveries of a definition, or of all, that are retried or dead.
    func troubled(_ definition: DefinitionID?) throws -> [DefinitionID: UndeliveredCount] {
        var troubled: [DefinitionID: UndeliveredCount] = [:]
        func change(_ row: StoredRow, _ body: (inout UndeliveredCount) -> Void) throws {
            guard let id = DefinitionID(try row.text(1)) else { return }
            body(&troubled[id, default: UndeliveredCount()])
        }
        func addRetrying(_ row: StoredRow) throws {
            let (count, next) = (try row.count(2), try row.instant(3))
            try change(row) { $0.add(retrying: count, next: next) }
        }
        func addDead(_ row: StoredRow) throws {
            let (count, oldest) = (try row.count(2), try row.instant(3))
            try change(row) { $0.add(dead: count, oldest: oldest) }
        }
        if let definition {
            try forEach(StandingStatements.retryingOfOne, definition.rawValue, body: addRetrying)
            try forEach(StandingStatements.deadOfOne, definition.rawValue, body: addDead)
        } else {
            try forEach(StandingStatements.retrying, body: addRetrying)
            try forEach(StandingStatements.dead, body: addDead)
        }
        return troubled
    }
}
