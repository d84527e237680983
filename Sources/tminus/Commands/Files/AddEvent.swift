internal import ArgumentParser
internal import TminusCore
internal import TminusTooling

/// `tminus add event`
struct AddEvent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Add an event: an instant on the calendar or a recurrence.",
        discussion: """
            Write the time in plain words: '2026-12-01 09:00', 'tomorrow 9:00', 'fri 15:30', 'next monday noon', 'dec \
            24 18:00', 'in 2h', '+3d'. The command prints the time it understood, with the zone. A time in the past is \
            an error.

              tminus add event launch 2026-12-01 9:00 --remind '1 day, 1 hour'
              tminus add event 'Call Anna' tomorrow at 3pm
              tminus add event stand-up --cron '30 9 * * MON-FRI' --remind '5 minutes'
              tminus add event rent next month 8:00 --every '1 month'

            With --every, --rrule and --cron, the time is the start of the recurrence and may be in the past.
            """
    )

    @Argument(help: "The name. The id is derived from it.")
    var title: String

    @Argument(help: "The time, in plain words.")
    var when: [String] = []

    @Option(
        help: ArgumentHelp("The interval. Days and longer are calendar units, shorter ones exact.", valueName: "span"))
    var every: String?

    @Option(
        help: ArgumentHelp(
            "Five fields as in crontab(5), six with seconds first, or a macro such as @daily.", valueName: "expr"))
    var cron: String?

    @Option(help: ArgumentHelp("A recurrence rule of RFC 5545.", valueName: "rule"))
    var rrule: String?

    @Option(help: ArgumentHelp("The end of the recurrence.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("The number of occurrences.", valueName: "count"))
    var count: Int?

    @Option(name: .zone, help: ArgumentHelp("The time zone. Default: the file's.", valueName: "zone"))
    var timezone: String?

    @OptionGroup var definition: DefinitionOptions
    @OptionGroup var actions: ActionOptions
    @OptionGroup var options: ConfigOptions

    func validate() throws {
        let rules = [every, cron, rrule].compactMap { $0 }.count
        if rules > 1 { throw ValidationError("give only one of --every, --cron and --rrule") }
        if rules == 0, when.isEmpty { throw ValidationError("the time is missing; give one, such as 'tomorrow 9:00'") }
        if when.isEmpty, every != nil || rrule != nil {
            throw ValidationError(
                "--every and --rrule need a start time; give one after the name, such as 'tomorrow 9:00'")
        }
        if rules == 0, until != nil || count != nil {
            throw ValidationError("--until and --count need --every, --cron or --rrule")
        }
    }

    func run() async throws {
        let directory = await options.directory()
        let (id, name) = try definition.identity(title)
        try reportingRefusals {
            let files = try options.files(in: directory)
            let outcome = try files.add(.event, id: id, file: options.file) { zone throws(EditRefusal) in
                try entries(name, in: zone, files)
            }
            try AddedDefinition(outcome, now: files.now).write(json: options.json)
        }
    }

    private func entries(_ name: String?, in fileZone: Zone, _ files: ConfigFiles) throws(EditRefusal) -> [Node.Entry] {
        // The decoder reports an unknown zone name, with a suggestion.
        let zone = timezone.flatMap(files.zone(named:)) ?? fileZone
        var entries = definition.entries(name: name)
        let isRule = every != nil || cron != nil || rrule != nil
        entries.add("every", every)
        entries.add("cron", cron)
        entries.add("rrule", rrule)
        if !when.isEmpty {
            entries.add(
                isRule ? "start" : "at", try time(when.joined(separator: " "), zone, files.now, allowsPast: isRule))
        }
        if let until { entries.add("until", try self.until(until, zone, files.now)) }
        entries.add("count", count.map(String.init))
        entries.add("timezone", timezone)
        return entries + actions.entries
    }

    private func time(_ text: String, _ zone: Zone, _ now: Timestamp, allowsPast: Bool) throws(EditRefusal) -> String {
        switch PlainDate.parse(text, now: now, zone: zone, allowsPast: allowsPast) {
        case .success(let date): return date.written
        case .failure(let problem): throw EditRefusal(ToolError(.usage, problem.message))
        }
    }

    /// Keeps a date alone as written, because in `until` it includes the whole day.
    private func until(_ text: String, _ zone: Zone, _ now: Timestamp) throws(EditRefusal) -> String {
        if case .success = DateTimeText.parse(text) { return text }
        switch PlainDate.parse(text, now: now, zone: zone) {
        case .success(let date):
            GivenDate.say(date, of: text, for: "--until", isBound: true)
            return date.writtenBound
        case .failure(let problem): throw EditRefusal(ToolError(.usage, "--until: \(problem.message)"))
        }
    }
}
