import TminusCore

/// Decodes questions by the same rules as definitions.
struct QuestionDecoder {
    /// The time zones of the machine.
    let zones: any ZoneDatabase
    /// The remaining budget for suggestions, shared by all questions.
    private var hints = Hints()

    /// Creates a decoder.
    init(zones: any ZoneDatabase) {
        self.zones = zones
    }

    /// The question; nil if it has an error, which is reported.
    mutating func decode(_ node: Node, now: Timestamp, _ diagnostics: DiagnosticBag) -> RuleQuestion? {
        var decoder = ScheduleDecoder(zones: zones, now: now, diagnostics: diagnostics)
        decoder.hints = hints
        defer { hints = decoder.hints }
        var reader = MappingReader(node, table: RuleQuestion.keys, diagnostics: diagnostics)
        let zone = decoder.zone(reader, at: "tz") ?? zones.systemZone
        let from = instant(reader, "from", in: zone)
        if reader.has("every"), reader.isMissing("start") {
            // Without a start, the interval is counted from now.
            let start = Node.Entry(
                key: "start",
                value: Node(.scalar((from ?? Timestamp(seconds: now.nanoseconds / 1_000_000_000)).rfc3339)))
            guard case .mapping(let entries) = node.content else { return nil }
            // Unknown keys are dropped, since they have been reported.
            reader = MappingReader(
                Node(.mapping(entries.filter { RuleQuestion.keys[$0.key] != nil } + [start]), range: node.range),
                table: RuleQuestion.keys, diagnostics: diagnostics)
        }
        if let id = reader.node("id"), id.content != .null { _ = reader.text("id") }
        let limit = reader.integer("n", in: 1...RuleQuestion.limits) ?? RuleQuestion.standardLimit
        let daylightSaving = reader.choice("dst", DaylightSaving.self) ?? .compatible
        let leads = reader.oneOrMore("before")?.compactMap { decoder.lead($0, of: "before") } ?? []
        let subject = subject(reader, decoder, in: zone, daylightSaving)
        reader.finish()
        guard let subject, !diagnostics.hasErrors else { return nil }
        return RuleQuestion(subject: subject, zone: zone, leads: leads, from: from, limit: limit)
    }

    private func subject(
        _ reader: MappingReader, _ decoder: ScheduleDecoder, in zone: Zone, _ daylightSaving: DaylightSaving
    ) -> RuleQuestion.Subject? {
        guard reader.has("duration") else {
            return decoder.trigger(reader, in: zone, daylightSaving).map { .trigger($0) }
        }
        guard let text = reader.text("duration") else { return nil }
        switch CalendarSpan.parseDuration(text) {
        case .success(let duration): return .duration(duration)
        case .failure(let problem):
            reader.error("'duration': \(problem.message)", at: "duration")
            return nil
        }
    }

    private func instant(_ reader: MappingReader, _ key: String, in zone: Zone) -> Timestamp? {
        guard reader.has(key), let text = reader.text(key) else { return nil }
        switch DateTimeText.parse(text) {
        case .success(.instant(let instant)): return instant
        case .success(.local(let local)): return zone.instant(of: local)
        case .failure(let problem):
            reader.error("'\(key)': \(problem.message)", at: key)
            return nil
        }
    }
}
