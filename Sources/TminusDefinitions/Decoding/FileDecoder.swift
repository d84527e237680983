import TminusCore

/// Decodes one document into definitions, sinks and defaults. It reports every problem and decodes the rest.
///
/// Decoding has two steps, because an action may name a sink of any file: all files declare their sinks before the
/// first definition is decoded.
struct FileDecoder {
    /// The input of decoding besides the document.
    struct Surroundings {
        /// The time zones of the machine.
        var zones: any ZoneDatabase
        /// The kinds of sink.
        var registry: SinkRegistry
        /// The directory of the file, relative to the config directory; empty for that itself.
        var directory: String
        /// The absolute config directory.
        var rootDirectory: String
        /// The instant that separates past and future.
        var now: Timestamp
    }

    private let diagnostics: DiagnosticBag
    private let reader: MappingReader
    private let hasStandardSink: Bool
    private var sinks: SinkDecoder
    private var schedule: ScheduleDecoder
    private var defaults = Defaults()
    private var content = FileContent()
    private var places: [String: SourceRange] = [:]
    /// The cached result of ``standardActions()``.
    private var standard: [SinkKey]?

    /// Creates a decoder of one document and decodes its sinks.
    init(_ root: Node, _ surroundings: Surroundings, diagnostics: DiagnosticBag) {
        self.diagnostics = diagnostics
        reader = MappingReader(root, table: DefinitionKeys.file, diagnostics: diagnostics)
        _ = reader.text("$schema")
        hasStandardSink = surroundings.registry["stdout"] != nil
        sinks = SinkDecoder(
            registry: surroundings.registry, directory: surroundings.directory,
            rootDirectory: surroundings.rootDirectory, diagnostics: diagnostics)
        schedule = ScheduleDecoder(zones: surroundings.zones, now: surroundings.now, diagnostics: diagnostics)
        sinks.declare(reader.map("sinks") ?? [])
    }

    /// The sinks that the file declares, by id.
    var declared: [String: FileContent.DeclaredSink] { sinks.own }
    /// The ids under `sinks` whose sink is invalid.
    var broken: Set<String> { sinks.broken }

    /// Decodes the content of the file, and its defaults on top of `shared`. Call it once.
    mutating func decode(shared: Defaults, names: SinkNames) -> (content: FileContent, defaults: Defaults) {
        defaults = shared
        sinks.names = names
        if let node = reader.node("defaults") { decodeDefaults(node) }
        let entries = DefinitionKind.allCases.flatMap { kind in
            (reader.map(kind.section) ?? []).map { (entry: $0, kind: kind) }
        }
        content.items.reserveCapacity(entries.count)
        // In the order of the file, so that the first of two definitions with the same id wins.
        for (entry, kind) in entries.sorted(by: { $0.entry.keyRange.start < $1.entry.keyRange.start }) {
            decode(entry, as: kind)
        }
        (content.sinks, content.undeclared, content.foreign) = (sinks.own, sinks.undeclared, sinks.foreign)
        return (content, defaults)
    }

    /// The message for a text that is not a valid id.
    static func invalidID(_ text: String, of thing: String) -> String {
        "'\(text)' cannot be the id of \(thing): \(DefinitionID.rule(brokenBy: text))"
    }

    private mutating func decodeDefaults(_ node: Node) {
        let table = DefinitionKeys.defaults
        let reader = MappingReader(node, table: table, diagnostics: diagnostics)
        if let zone = schedule.zone(reader) { defaults.zone = zone }
        if let labels = reader.texts("labels") { defaults.labels.merge(labels) { _, own in own } }
        if let nodes = reader.oneOrMore("on-reminder") { defaults.onReminder = sinks.actions(nodes) }
        if let nodes = reader.oneOrMore("on-expiry") { defaults.onExpiry = sinks.actions(nodes) }
        if let nodes = reader.oneOrMore("on-elapsed") { defaults.onElapsed = sinks.actions(nodes) }
        if let nodes = reader.oneOrMore("on-failure") { defaults.onFailure = sinks.actions(nodes) }
        if let overlap = reader.choice("overlap", Overlap.self) { defaults.overlap = overlap }
        if let items = schedule.reminders(reader, &sinks) { defaults.remind = items.map(\.item) }
        if let catchUp = reader.choice("catch-up", CatchUp.self) { defaults.catchUp = catchUp }
        if let grace = schedule.grace(reader) { defaults.grace = grace }
        if let dst = reader.choice("dst", DaylightSaving.self) { defaults.daylightSaving = dst }
        if let jitter = reader.duration("jitter") { defaults.jitter = jitter }
        if let clock = reader.choice("clock", Timer.Clock.self) { defaults.clock = clock }
    }

    private mutating func decode(_ entry: Node.Entry, as kind: DefinitionKind) {
        guard let id = DefinitionID(entry.key) else {
            diagnostics.error(Self.invalidID(entry.key, of: "a definition"), at: entry.keyRange)
            return
        }
        if let first = places[entry.key] {
            diagnostics.error(
                "the id '\(entry.key)' is used for the second time; an id is unique among events, timers and stopwatches",
                at: entry.keyRange, notes: [diagnostics.diagnostic(.note, "the first is here", at: first)])
            return
        }
        places[entry.key] = entry.keyRange
        var node = entry.value
        if case .scalar(let text) = node.content, Self.lacksSpace(text) {
            diagnostics.error("a space is missing behind the ':'", at: node.range)
            return
        }
        let table = kind.table
        if case .scalar(let text) = node.content, let key = text.split(separator: " ").first, table[String(key)] != nil
        {
            let rest = text.dropFirst(key.count).drop { $0 == " " }
            diagnostics.error("a ':' is missing behind '\(key)': write '\(key): \(rest)'", at: node.range)
            return
        }
        // Problems of the whole mapping, such as a missing key, are reported at the id.
        if node.content == .null { node.content = .mapping([]) }
        if case .mapping = node.content { node.range = entry.keyRange }
        let reader = MappingReader(node, table: table, diagnostics: diagnostics) { key in
            let other = DefinitionKind.allCases.first { $0.table[key] != nil }
            return other.map { "it is a key of \($0.section), such as \(key): \($0.table[key]?.example ?? "")" }
        }
        decode(id, kind, reader, at: entry.keyRange)
        if case .mapping = node.content { reader.finish() }
    }

    private mutating func decode(
        _ id: DefinitionID, _ kind: DefinitionKind, _ reader: MappingReader, at range: SourceRange
    ) {
        let name = reader.text("name")
        let description = reader.text("description")
        let color = ColorText.read(reader)
        let labels = reader.texts("labels") ?? [:]
        let isEnabled = reader.boolean("enabled") ?? true
        let onFailure = reader.oneOrMore("on-failure").map { sinks.actions($0) } ?? defaults.onFailure ?? []
        let overlap = reader.choice("overlap", Overlap.self) ?? defaults.overlap
        let origin = SourceLocation(file: diagnostics.file, line: range.start.line, column: range.start.column)
        if kind == .stopwatch {
            let onElapsed = reader.oneOrMore("on-elapsed").map { sinks.actions($0) }
            let definition = Definition(
                id: id, schedule: .stopwatch(schedule.stopwatch(reader)), name: name ?? id.rawValue,
                description: description, color: color, labels: defaults.labels.merging(labels) { _, own in own },
                isEnabled: isEnabled, onExpiry: [], onElapsed: onElapsed ?? defaults.onElapsed ?? standardActions(),
                onFailure: onFailure, overlap: overlap, zone: defaults.zone ?? schedule.systemZone, origin: origin)
            add(definition, at: range)
            return
        }
        let zone = (kind == .event ? schedule.zone(reader) : nil) ?? defaults.zone ?? schedule.systemZone
        let onReminder = reader.oneOrMore("on-reminder").map { sinks.actions($0) }
        let onExpiry = reader.oneOrMore("on-expiry").map { sinks.actions($0) }
        let own = schedule.reminders(reader, &sinks)
        let catchUp = reader.choice("catch-up", CatchUp.self) ?? defaults.catchUp
        let grace = schedule.grace(reader) ?? defaults.grace ?? Lateness.grace
        let items = own?.map(\.item) ?? defaults.remind ?? []
        let decoded: Definition.Schedule? =
            kind == .event
            ? event(reader, in: zone, items).map { .event($0) } : timer(reader).map { .timer($0) }
        if case .timer(let timer) = decoded {
            if let own { schedule.warn(about: own, longerThan: timer.duration) }
            if timer.repetition != .never { refuseAfter(own, at: range) }
        }
        guard let decoded else { return }
        if case .event(let event) = decoded {
            schedule.report(own, orDefaults: defaults.remind, of: event, in: zone, at: range)
        }

        let reminders =
            items.contains { $0.actions == nil }
            ? collapse(items, standard: onReminder ?? defaults.onReminder ?? standardActions())
            : collapse(items, standard: [])
        let definition = Definition(
            id: id, schedule: decoded, name: name ?? id.rawValue, description: description, color: color,
            labels: defaults.labels.merging(labels) { _, own in own }, isEnabled: isEnabled, reminders: reminders,
            onExpiry: onExpiry ?? defaults.onExpiry ?? standardActions(),
            onFailure: onFailure, overlap: overlap, catchUp: catchUp, grace: grace, zone: zone, origin: origin)
        add(definition, at: range)
    }

    private mutating func add(_ definition: Definition, at range: SourceRange) {
        var definition = definition
        if let former = content.items.last?.definition { definition.share(with: former) }
        content.items.append(FileContent.Item(definition: definition, range: range))
    }

    /// The default of action lists: `[stdout]`, if that sink exists.
    private mutating func standardActions() -> [SinkKey] {
        guard hasStandardSink else { return [] }
        let actions = standard ?? sinks.actions([Node(.scalar("stdout"))])
        standard = actions
        return actions
    }

    private func event(_ reader: MappingReader, in zone: Zone, _ reminders: [ReminderItem]) -> Event? {
        let dst = reader.choice("dst", DaylightSaving.self) ?? defaults.daylightSaving ?? .compatible
        let jitter = reader.duration("jitter") ?? defaults.jitter ?? .zero
        return schedule.trigger(reader, in: zone, dst, reminders: reminders)
            .map { Event(trigger: $0, jitter: jitter) }
    }

    private func timer(_ reader: MappingReader) -> Timer? {
        let duration = reader.duration("duration")
        let start = reader.choice("start", Timer.Start.self) ?? .auto
        let repetition = reader.choice("repeat", Timer.Repetition.self)
        let count = reader.integer("count", in: 1...Int.max)
        let clock = reader.choice("clock", Timer.Clock.self) ?? defaults.clock ?? .elapsed
        guard let duration else { return nil }
        if let repetition, repetition != .never, duration < .seconds(1) {
            reader.error("a timer that repeats needs a duration of at least 1 second", at: "duration")
        }
        return Timer(duration: duration, start: start, repetition: repetition ?? .never, count: count, clock: clock)
    }

    /// Reports reminders after the expiry of a repeating timer: its cycle is over when the next one begins.
    private func refuseAfter(_ own: [(item: ReminderItem, node: Node)]?, at range: SourceRange) {
        let message = "'after' needs repeat: never on a timer"
        if let own {
            for (item, node) in own where item.side == .after { diagnostics.error(message, at: node.range) }
        } else if defaults.remind?.contains(where: { $0.side == .after }) == true {
            diagnostics.error("\(message); this one gets it from 'defaults'", at: range)
        }
    }

    /// Merges reminders with the same lead on the same side into one with the sinks of all.
    private func collapse(_ items: [ReminderItem], standard: [SinkKey]) -> [Reminder] {
        var reminders: [Reminder] = []
        var places: [FiringAction: Int] = [:]
        for item in items {
            let actions = item.actions ?? standard
            let action = FiringAction.reminder(item.lead, item.side)
            if let place = places[action] {
                reminders[place].actions += actions.filter { !reminders[place].actions.contains($0) }
            } else {
                places[action] = reminders.count
                reminders.append(Reminder(item.lead, side: item.side, actions: actions))
            }
        }
        return reminders
    }

    private static func lacksSpace(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        let key = String(text[..<colon])
        return DefinitionKind.allCases.contains { $0.table[key] != nil }
    }
}
