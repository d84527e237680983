import TminusCore

/// Decodes the parts of a definition that are about time: zones, instants, lead times.
struct ScheduleDecoder {
    private let zones: any ZoneDatabase
    private let now: Timestamp
    private let diagnostics: DiagnosticBag
    private var hints = Hints()
    private var found: [String: Zone] = [:]
    private var unknown: Set<String> = []

    /// A decoder that compares with `now`.
    init(zones: any ZoneDatabase, now: Timestamp, diagnostics: DiagnosticBag) {
        self.zones = zones
        self.now = now
        self.diagnostics = diagnostics
    }

    /// The zone of the machine.
    var systemZone: Zone { zones.systemZone }

    /// The zone under `timezone`.
    mutating func zone(_ reader: MappingReader) -> Zone? {
        guard let name = reader.text("timezone") else { return nil }
        if let zone = found[name] { return zone }
        if !unknown.contains(name), let zone = zones.zone(named: name) {
            found[name] = zone
            return zone
        }
        unknown.insert(name)
        let exact = name.isEmpty ? "" : hints.phrase(for: name, in: zones.names)
        reader.error(
            "unknown time zone '\(name)'\(exact.isEmpty ? ", write a name such as Europe/Berlin" : exact)",
            at: "timezone")
        return nil
    }

    /// The instants under `at`, ascending, each once; nil if there is none that is right.
    mutating func instants(_ reader: MappingReader, in zone: Zone) -> [Timestamp]? {
        guard let nodes = reader.oneOrMore("at") else { return nil }
        if nodes.isEmpty {
            reader.error("'at' needs at least one date and time", at: "at")
            return nil
        }
        var instants: [Timestamp] = []
        var isComplete = true
        for node in nodes {
            guard let text = MappingReader.text(of: node, for: "at", diagnostics) else {
                isComplete = false
                continue
            }
            switch DateTimeText.parse(text) {
            case .success(.instant(let instant)): instants.append(instant)
            case .success(.local(let local)): instants.append(zone.instant(of: local))
            case .failure(let problem):
                diagnostics.error("'at': \(problem.message)", at: node.range)
                isComplete = false
            }
        }
        instants.sort()
        var distinct: [Timestamp] = []
        for instant in instants where instant != distinct.last { distinct.append(instant) }
        if isComplete, let last = distinct.last, last <= now, let node = reader.node("at") {
            diagnostics.report(
                .warning,
                nodes.count == 1
                    ? "this is in the past" : "all of these are in the past",
                at: node.range)
        }
        return distinct.isEmpty ? nil : distinct
    }

    /// The items under `remind`; nil if the key is absent.
    mutating func reminders(_ reader: MappingReader, _ sinks: inout SinkDecoder) -> [(item: ReminderItem, node: Node)]?
    {
        reader.oneOrMore("remind")?.compactMap { node in
            reminder(node, &sinks).map { ($0, node) }
        }
    }

    private mutating func reminder(_ node: Node, _ sinks: inout SinkDecoder) -> ReminderItem? {
        guard case .mapping = node.content else {
            return lead(node).map { ReminderItem(lead: $0, side: .before, actions: nil) }
        }
        let reader = MappingReader(node, table: DefinitionKeys.reminder, diagnostics: diagnostics)
        let actions = reader.oneOrMore("do").map { sinks.actions($0) }
        switch (reader.node("before"), reader.node("after")) {
        case (let before?, nil): return lead(before).map { ReminderItem(lead: $0, side: .before, actions: actions) }
        case (nil, let after?): return lead(after).map { ReminderItem(lead: $0, side: .after, actions: actions) }
        case (_?, _?):
            diagnostics.error("a reminder has 'before' or 'after', not both", at: reader.keyRange("after"))
        case (nil, nil):
            guard reader.isMissing("before"), reader.isMissing("after") else { return nil }
            diagnostics.error("a reminder needs 'before' or 'after'", at: node.range)
        }
        return nil
    }

    private func lead(_ node: Node) -> CalendarSpan? {
        guard let text = MappingReader.text(of: node, for: "remind", diagnostics) else { return nil }
        switch CalendarSpan.parse(text) {
        case .success(let lead) where lead == CalendarSpan():
            diagnostics.error(
                "a lead time must be longer than zero; what happens at the occurrence itself is 'on-expiry'",
                at: node.range)
        case .success(let lead): return lead
        case .failure(let problem): diagnostics.error("'remind': \(problem.message)", at: node.range)
        }
        return nil
    }

    /// Warns of lead times that a timer of that length never reaches.
    func warn(about reminders: [(item: ReminderItem, node: Node)], longerThan duration: Duration) {
        for (item, node) in reminders where item.side == .before {
            // No month is shorter than 28 days.
            let shortest = CalendarSpan(
                days: item.lead.days.addingClamped(item.lead.months.multipliedClamped(by: 28)),
                nanoseconds: item.lead.nanoseconds)
            if let lead = shortest.exactDuration, lead >= duration {
                diagnostics.report(
                    .warning, "this is not shorter than the timer itself; the reminder will never fire", at: node.range)
            }
        }
    }
}

extension Int {
    fileprivate func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    fileprivate func multipliedClamped(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
