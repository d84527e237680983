import TminusCore

/// Decodes the time-related parts of a definition: zones, instants, lead times.
struct ScheduleDecoder {
    private let zones: any ZoneDatabase
    let now: Timestamp
    let diagnostics: DiagnosticBag
    /// The remaining budget for suggestions.
    var hints = Hints()
    private var found: [String: Zone] = [:]
    private var unknown: Set<String> = []

    /// Creates a decoder; `now` separates past and future.
    init(zones: any ZoneDatabase, now: Timestamp, diagnostics: DiagnosticBag) {
        self.zones = zones
        self.now = now
        self.diagnostics = diagnostics
    }

    /// The zone of the machine. Cached, because finding it takes several stat(2) calls and most definitions need it.
    private(set) lazy var systemZone = zones.systemZone

    /// The zone under `timezone` or another key.
    mutating func zone(_ reader: MappingReader, at key: String = "timezone") -> Zone? {
        guard let name = reader.text(key) else { return nil }
        if let zone = found[name] { return zone }
        if !unknown.contains(name), let zone = zones.zone(named: name) {
            found[name] = zone
            return zone
        }
        unknown.insert(name)
        reader.error("unknown time zone '\(name)'\(zoneHint(for: name))", at: key)
        return nil
    }

    /// What to write instead of `name`; often it is a city or a part of a zone's name.
    private mutating func zoneHint(for name: String) -> String {
        if zones.names.isEmpty {
            return ": this machine has no time zone data; install tzdata, or set TZDIR to where it is"
        }
        let standard = ", write a name such as Europe/Berlin"
        guard let first = name.utf8.first else { return standard }
        if "+-0123456789".utf8.contains(first) {
            return "; an offset goes behind the time, as in 2026-12-01T09:00+01:00"
        }
        guard hints.take(), let zone = Suggestion.zone(for: name, in: zones.names) else { return standard }
        return ", did you mean '\(zone)'?"
    }

    /// The times under `at`, in the order of the file; nil if one of them is wrong.
    func times(_ reader: MappingReader) -> [DateOrTime]? {
        guard let nodes = reader.oneOrMore("at") else { return nil }
        if nodes.isEmpty {
            reader.error("'at' needs at least one date and time", at: "at")
            return nil
        }
        let times = nodes.compactMap { (node: Node) -> DateOrTime? in
            guard let text = MappingReader.text(of: node, for: "at", example: "2026-12-01 09:00", diagnostics) else {
                return nil
            }
            switch DateOrTime.parse(text) {
            case .success(let time): return time
            case .failure(let problem):
                diagnostics.error("'at': \(problem.message)", at: node.range)
                return nil
            }
        }
        return times.count == nodes.count ? times : nil
    }

    /// The items under `remind`; nil if the key is absent.
    mutating func reminders(_ reader: MappingReader, _ sinks: inout SinkDecoder) -> [(item: ReminderItem, node: Node)]?
    {
        guard let nodes = reader.oneOrMore("remind") else { return nil }
        if nodes.count > LeadLimits.count {
            diagnostics.error(
                "'remind' has at most \(LeadLimits.count) lead times, here are \(nodes.count)",
                at: nodes[LeadLimits.count].range)
        }
        return nodes.prefix(LeadLimits.count).compactMap { node in
            reminder(node, &sinks).map { ($0, node) }
        }
    }

    private mutating func reminder(_ node: Node, _ sinks: inout SinkDecoder) -> ReminderItem? {
        guard case .mapping = node.content else {
            return lead(node).map { ReminderItem(lead: $0, side: .before, actions: nil) }
        }
        let reader = MappingReader(node, table: DefinitionKeys.reminder, diagnostics: diagnostics)
        let actions = reader.oneOrMore("do").map { sinks.actions($0) }
        reader.finish()
        let before = reader.node("before").flatMap { lead($0, of: "before") }
        let after = reader.node("after").flatMap { lead($0, of: "after") }
        return before.map { ReminderItem(lead: $0, side: .before, actions: actions) }
            ?? after.map { ReminderItem(lead: $0, side: .after, actions: actions) }
    }

    /// The lead time of a node, which is the value of a key or an item of its list.
    func lead(_ node: Node, of key: String = "remind") -> CalendarSpan? {
        guard let text = MappingReader.text(of: node, for: key, example: "1 day", diagnostics) else { return nil }
        switch CalendarSpan.parse(text) {
        case .success(let lead):
            if let doubt = CalendarSpan.monthDoubt(about: text) {
                diagnostics.report(.warning, "'\(key)': \(doubt)", at: node.range)
            }
            return lead
        case .failure(let problem): diagnostics.error("'\(key)': \(problem.message)", at: node.range)
        }
        return nil
    }

    /// The time-related keys of a stopwatch.
    func stopwatch(_ reader: MappingReader) -> Stopwatch {
        let start = reader.choice("start", Timer.Start.self) ?? .manual
        let alerts = (reader.oneOrMore("at-elapsed") ?? []).compactMap { node -> Duration? in
            guard let text = MappingReader.text(of: node, for: "at-elapsed", example: "30m", diagnostics) else {
                return nil
            }
            switch CalendarSpan.parseExactDuration(text) {
            case .failure(let problem): diagnostics.error("'at-elapsed': \(problem.message)", at: node.range)
            case .success(let time) where time > .zero: return time
            case .success: diagnostics.error("'at-elapsed' must be longer than zero", at: node.range)
            }
            return nil
        }
        return Stopwatch(start: start, alerts: Set(alerts).sorted())
    }

    /// How late an expiry is still useful.
    func grace(_ reader: MappingReader) -> Duration? {
        guard let grace = reader.duration("grace") else { return nil }
        if grace < .seconds(1) {
            reader.error("'grace' must be at least 1 second: a delivery always takes some time", at: "grace")
        }
        return grace
    }

    /// Warns of lead times that are not shorter than the timer itself.
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
