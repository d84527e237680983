internal import TminusControl
internal import TminusCore
internal import TminusDefinitions
internal import TminusSystem
internal import TminusWatch

extension MetricPage {
    /// Adds what is in force, and how reading it went.
    mutating func add(_ inForce: LoadStatus, last load: LoadStatus, watch: WatchStatus, loads: Histogram) {
        add(.lastReloadSuccessful, .flag(load.isLastSuccessful))
        add(.lastReloadSuccess, .instant(load.lastSuccess))
        add(.configHash, .count(inForce.hash.flatMap { UInt64($0.prefix(12), radix: 16) } ?? 0))
        add(.configGeneration, .whole(inForce.generation))
        add(.configDefinitions, .whole(inForce.definitions))
        var files: [String: Int] = ["pending": watch.pending.count, "ignored": watch.ignored.total]
        for file in load.files { files[file.state.rawValue, default: 0] += 1 }
        for state in FileReport.State.allCases.map(\.rawValue) + ["pending", "ignored"] {
            add(.configFiles, [state], .whole(files[state] ?? 0))
        }
        for result in LoadStatus.Result.allCases {
            add(.configReloads, [result.rawValue], .whole(load.results[result] ?? 0))
        }
        add(.configReloadDuration, loads)
        add(.watchEvents, .flag(watch.mode == .events))
        for cause in WatchStatus.ScanCause.allCases {
            add(.watchRescans, [cause.rawValue], .whole(watch.scansByCause[cause] ?? 0))
        }
    }

    /// Adds what the engine has counted.
    mutating func add(_ figures: EngineFigures, now: Timestamp) {
        for kind in DefinitionKind.allCases {
            for state in DefinitionCounts.State.allCases {
                let count = figures.definitions.count(kind, state)
                if count > 0 || state.fits(kind) { add(.definitions, [kind.rawValue, state.word], .whole(count)) }
            }
        }
        add(.mutes, ["all"], .flag(figures.mutedUntil.map { $0 > now } ?? false))
        add(.nextDue, .instant(figures.nextDue))
        for kind in FiringAction.Kind.allCases {
            add(.firings, [kind.rawValue], .count(figures.firings[kind.place]))
            add(.deliveryLateness, [kind.rawValue], figures.dispatch.lateness[kind.place])
        }
        for reason in Omission.Reason.allCases {
            add(.omissions, [reason.rawValue], .count(figures.omissions[reason] ?? 0))
        }
        add(.schedulerLag, figures.lag)
        add(.schedulerSteps, .count(figures.steps))
        for (slot, name) in figures.dispatch.sinks.all {
            for end in DispatchFigures.End.allCases {
                let count = figures.dispatch.count(end, sink: slot)
                // Few sinks ever have one discarded, and the number of series is bounded.
                if end != .discarded || count > 0 { add(.deliveries, [name, "\(end)"], .count(count)) }
            }
            for result in DispatchFigures.Result.allCases {
                add(.deliveryAttempts, [name, "\(result)"], .count(figures.dispatch.count(result, sink: slot)))
            }
            add(.running, [name], .whole(figures.running[slot] ?? 0))
        }
        for (slot, name) in figures.dispatch.kinds.all where figures.dispatch.durations[slot].count > 0 {
            add(.attemptDuration, [name], figures.dispatch.durations[slot])
        }
    }

    /// Adds the undelivered part of the outbox.
    mutating func add(_ standing: DeliveryStanding, now: Timestamp) {
        let counts = standing.sinks.reduce(into: (waiting: 0, running: 0, retrying: 0, dead: 0)) { counts, sink in
            counts.waiting += sink.waiting
            counts.running += sink.running
            counts.retrying += sink.undelivered.retrying
            counts.dead += sink.undelivered.dead
        }
        add(.outbox, ["waiting"], .whole(counts.waiting))
        add(.outbox, ["running"], .whole(counts.running))
        add(.outbox, ["retrying"], .whole(counts.retrying))
        add(.outbox, ["dead"], .whole(counts.dead))
        let next = standing.sinks.compactMap(\.nextAttempt).min()
        add(.outboxOldest, .instant(next.flatMap { $0 <= now ? $0 : nil }))
    }

    /// Adds what the store counts, and its size at that path.
    mutating func add(_ store: StoreFigures, sizeOf path: String) {
        for (verb, counts) in store.all {
            add(.storeDuration, [verb.rawValue], counts.durations)
            add(.storeErrors, [verb.rawValue], .count(counts.errors))
        }
        let sizes = [path, "\(path)-wal"].compactMap { ProcessFigures.size(ofFile: $0) }
        if !sizes.isEmpty { add(.storeSize, .whole(sizes.reduce(0, +))) }
    }

    /// Adds what the doors over TCP count.
    mutating func add(_ web: WebFigures.Counts) {
        let answered = web.answered.sorted {
            ($0.key.route, $0.key.method, $0.key.code) < ($1.key.route, $1.key.method, $1.key.code)
        }
        for (request, count) in answered {
            add(.httpRequests, [request.route, request.method, String(request.code)], .count(count))
        }
        for group in WebFigures.Group.allCases {
            add(.httpDuration, [group.rawValue], web.durations[group] ?? .http)
        }
        for reason in WebRefusal.allCases {
            add(.httpRefusals, [reason.rawValue], .count(web.refusals[reason] ?? 0))
        }
    }

    /// Adds the browsers that are signed in.
    mutating func add(sessions: [WebSession]) {
        for level in AccessLevel.allCases where level > .open {
            add(.sessions, [level.rawValue], .whole(sessions.count { $0.level == level }))
        }
    }

    /// Adds what the kernel says of this process.
    mutating func addProcess(started: Timestamp) {
        let process = ProcessFigures.current
        add(.cpuSeconds, .nanoseconds(process.processorTime.nanoseconds))
        if let bytes = process.residentBytes { add(.residentMemory, .whole(bytes)) }
        if let count = process.openDescriptors { add(.openFiles, .whole(count)) }
        if let count = process.descriptorLimit { add(.maxFiles, .count(count)) }
        add(.startTime, .instant(started))
    }

    /// Adds the metrics of one definition.
    mutating func add(_ item: Item, now: Timestamp) {
        let isToCome = item.due.map { $0 > now } ?? false
        add(.definitionNextDue, [item.id], .instant(isToCome ? item.due : nil))
        let last = item.lastOutcome
        for outcome in Self.outcomes {
            add(.definitionLastDelivery, [item.id, outcome], .instant(last?.end == outcome ? last?.due : nil))
        }
        add(.definitionLastSuccess, [item.id], .flag(last?.end == "delivered"))
    }

    /// How an action can have ended, without those that are open.
    private static let outcomes = ["delivered", "failed", "missed", "skipped"]
}

extension DefinitionCounts.State {
    /// Whether definitions of a kind can be in this state.
    fileprivate func fits(_ kind: DefinitionKind) -> Bool {
        switch (self, kind) {
        case (.disabled, _), (.upcoming, .event), (.expired, .event), (.expired, .timer), (.acting, .timer): true
        case (.idle, .timer), (.running, .timer), (.paused, .timer): true
        case (.idle, .stopwatch), (.running, .stopwatch), (.paused, .stopwatch): true
        case (.upcoming, _), (.idle, _), (.running, _), (.paused, _), (.acting, _), (.expired, _): false
        }
    }
}
