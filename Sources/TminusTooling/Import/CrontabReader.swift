internal import TminusCore
internal import TminusDefinitions

/// Turns the lines of a crontab into events, one after the other.
struct CrontabReader {
    /// The lines that are not imported as they are.
    private(set) var remarks: [CrontabImport.Remark] = []
    /// The ids of the events with their lines.
    private(set) var jobs: [(id: String, line: Int)] = []

    /// How many occurrences of each event are compared with the line of the crontab.
    private static let compared = 50

    private let options: CrontabImport.Options
    private let zones: any ZoneDatabase
    private let sinks: SinkRegistry
    private let now: Timestamp
    private let slug: (String) -> String
    private var events: [Node.Entry] = []
    private var taken: Set<String> = []

    init(
        _ options: CrontabImport.Options, now: Timestamp, zones: any ZoneDatabase, sinks: SinkRegistry,
        slug: @escaping (String) -> String
    ) {
        (self.options, self.now, self.zones, self.sinks, self.slug) = (options, now, zones, sinks, slug)
    }

    /// The definition file; nil if it would not load with all its events, a defect.
    var text: String? {
        guard let text = DefinitionText.yaml(Self.document(events)) else { return nil }
        let loaded = load(text)
        return loaded.error == nil && loaded.definitions.count == events.count ? text : nil
    }

    /// The file: in the defaults what cron does, so that the defaults of tminus.yaml do not change it.
    private static func document(_ events: [Node.Entry]) -> Node {
        let defaults = [("catch-up", "none"), ("overlap", "allow"), ("dst", "compatible")]
        return Node(
            .mapping([
                Node.Entry(
                    key: "defaults",
                    value: Node(.mapping(defaults.map { Node.Entry(key: $0.0, value: Node(.scalar($0.1))) }))),
                Node.Entry(key: "events", value: Node(.mapping(events))),
            ]))
    }

    /// Takes all lines of a crontab.
    mutating func read(_ crontab: [UInt8]) {
        var variables = CrontabVariables(home: options.home)
        var comment: String?
        let lines = crontab.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() {
            let number = index + 1
            let line = CrontabLine(bytes, hasUser: options.isSystem)
            if case .comment(let text) = line {
                comment = CrontabEvent.name(of: text).flatMap { slug($0).isEmpty ? nil : $0 }
                continue
            }
            switch line {
            case .blank, .comment: break
            case .variable(let name, let value):
                if let reason = variables.assign(name, value, zones: zones) { leaveOut(number, reason) }
            case .invalid(let reason): leaveOut(number, reason)
            case .job(let job): take(job, variables, comment: comment, line: number)
            }
            comment = nil
        }
    }

    private mutating func take(
        _ job: CrontabLine.Job, _ variables: CrontabVariables, comment: String?, line: Int
    ) {
        if let user = job.user, user != options.user {
            return leaveOut(line, "it runs as '\(user)'; import it for that user with --user, into a daemon of theirs")
        }
        if job.schedule == "@reboot" {
            return leaveOut(line, "@reboot is not a time; start the command with a unit of systemd")
        }
        if let problem = variables.zoneProblem { return leaveOut(line, problem) }
        var event = CrontabEvent(job: job, schedule: job.schedule, variables: variables, comment: comment)
        var changes: [String] = []
        if CrontabRandomRange.isIn(job.schedule) {
            guard let fixed = CrontabRandomRange.fixed(job.schedule, seed: job.command) else {
                return leaveOut(line, "'~' must stand between two numbers of its field")
            }
            guard options.approximates else {
                return leaveOut(line, "cron draws the values of '~' at random; --approximate writes '\(fixed)'")
            }
            event.schedule = fixed
            changes.append("'~' is drawn once: '\(fixed)'")
        }
        if job.input != nil {
            guard options.approximates else {
                return leaveOut(line, "it has input after '%'; --approximate passes it through a pipe")
            }
            changes.append("the input after '%' comes through a pipe")
        }
        if let reason = add(event, line: line) { return leaveOut(line, reason) }
        if !changes.isEmpty {
            remarks.append(
                CrontabImport.Remark(line: line, isApproximated: true, text: changes.joined(separator: "; ")))
        }
    }

    /// Adds an event if the loader accepts it and its occurrences are those of the schedule.
    /// - Returns: Why it was not added.
    private mutating func add(_ event: CrontabEvent, line: Int) -> String? {
        let trigger: CronTrigger
        let zone = event.variables.zone.flatMap { zones.zone(named: $0) } ?? zones.systemZone
        switch CronExpression.parse(event.schedule) {
        case .failure(let problem): return problem.message
        case .success(let expression):
            guard let read = try? CronTrigger(expression, in: zone) else { return "its schedule cannot be read" }
            trigger = read
        }
        let id = id(for: event)
        let entry = Node.Entry(key: id, value: event.node)
        guard let text = DefinitionText.yaml(Self.document([entry])) else { return "it cannot be written as YAML" }
        let loaded = load(text)
        if let error = loaded.error { return error }
        guard case .event(let decoded) = loaded.definitions.first?.schedule,
            Self.occurrences(after: now, decoded.trigger.next) == Self.occurrences(after: now, trigger.next)
        else { return "its occurrences would differ" }
        events.append(entry)
        jobs.append((id, line))
        taken.insert(id)
        return nil
    }

    /// The definitions of a text, and its first error.
    private func load(_ text: String) -> (definitions: [Definition], error: String?) {
        var loader = DefinitionLoader(zones: zones, sinks: sinks, displayRoot: "")
        let file = SourceFile(path: "crontab.yaml", content: .bytes(Array(text.utf8)))
        let result = loader.load(DirectoryContents(root: "/", files: [file]), now: now)
        let error = result.diagnostics.first { $0.severity == .error }
        return (Array(result.set.definitions.values), error?.message)
    }

    private static func occurrences(after start: Timestamp, _ next: (Timestamp) -> Timestamp?) -> [Timestamp] {
        var result: [Timestamp] = []
        while result.count < compared, let instant = next(result.last ?? start) { result.append(instant) }
        return result
    }

    /// An id that no other event has: later events of the same text get `-2`, `-3` and so on.
    private func id(for event: CrontabEvent) -> String {
        let slug = String(slug(event.title).prefix(48))
        let base = slug.isEmpty ? "job" : slug
        guard taken.contains(base) else { return base }
        var number = 2
        while taken.contains("\(base)-\(number)") { number += 1 }
        return "\(base)-\(number)"
    }

    private mutating func leaveOut(_ line: Int, _ reason: String) {
        remarks.append(CrontabImport.Remark(line: line, isApproximated: false, text: reason))
    }
}
