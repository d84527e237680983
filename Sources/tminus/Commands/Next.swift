internal import ArgumentParser
internal import TminusCore
internal import TminusDaemon
internal import TminusTooling

/// `tminus next`
struct Next: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Show the next occurrences of definitions, or of a rule given here. Needs no daemon.",
        discussion: """
            For each occurrence, shows the local time with its offset, UTC, the time until then, the effect of \
            daylight saving, and the reminders. The rule comes first, in its normal form. A timer or stopwatch is \
            shown as if it started now.

            An existing file or directory is read as such. Any other name is the id of a definition in the config \
            directory. Without names, all definitions of that directory are shown.

              tminus next launch stand-up
              tminus next config/launch.yaml -n 10
              tminus next --cron '30 9 * * MON-FRI' --tz Europe/Berlin --before '5 minutes'
              tminus next --rrule 'FREQ=MONTHLY;BYDAY=-1FR' --start '2026-11-27 17:00'
              tminus next --at '2027-03-28 09:00' --tz Europe/Berlin --before '1 day'
              tminus next --every '2 weeks' --start 2026-12-01 --except 2026-12-29

            Write dates as 2026-12-01, '2026-12-01 09:00', with an offset as 2026-12-01T09:00+01:00, or in plain words \
            such as 'tomorrow 9:00'. Without \
            --from, --cron and --every begin now, and --rrule and --at at their own start. --every counts from \
            --start, and from --from if that is not given. Occurrences are strictly after --from.

            --batch reads JSON objects, one a line, and answers each with one line, in order and at once: {"id": 1, \
            "cron": "30 9 * * *", "tz": "Europe/Berlin", "from": "2026-12-01T00:00:00Z", "n": 2} gives \
            {"id":1,"next":["2026-12-01T08:30:00Z","2026-12-02T08:30:00Z"]}. The keys are id (any string or number), \
            one of cron, rrule, at (one or a list), every and duration, and optionally tz, from, n (default 5), start, \
            until, count, except, dst and before. With before, each answer is the instant that long before an \
            occurrence after from, so it may itself be before from. A duration gives {"id":1,"seconds":5400}, an \
            invalid question {"id":1,"error":"..."}. A line that is not JSON gets a null id. A line has at most 1 MiB.

            Exit status: 65 if a definition or rule has an error or an id is unknown. If ids are given and all are \
            found, errors in other definitions are shown but do not count.
            """
    )

    @Argument(help: ArgumentHelp("Definition ids, files and directories.", valueName: "id|file|dir"))
    var names: [String] = []

    @Option(
        help: ArgumentHelp(
            "The directory to look up ids in. Default: the directory that 'tminus run' watches.", valueName: "dir"))
    var config: String?

    @Option(name: .customShort("n"), help: ArgumentHelp("How many occurrences to show for each.", valueName: "count"))
    var limit = 5

    @Option(help: ArgumentHelp("Show occurrences after this time instead of now.", valueName: "time"))
    var from: String?

    @Flag(help: "Write a JSON array, one object for each definition or rule.")
    var json = false

    @Flag(help: "Answer questions from standard input, one JSON object a line.")
    var batch = false

    @Flag(help: "Accept files that other users can write.")
    var insecurePermissions = false

    @OptionGroup(title: "Rule")
    var rule: RuleOptions

    func validate() throws {
        if limit < 1 || limit > 100_000 { throw ValidationError("-n must be from 1 to 100000") }
        let rules = rule.rules
        if rules > 1 { throw ValidationError("give only one of --cron, --rrule, --at and --every") }
        if rules == 0, let option = rule.all.first {
            throw ValidationError("--\(option.name) needs one of --cron, --rrule, --at and --every")
        }
        if rules > 0, !names.isEmpty || config != nil {
            throw ValidationError("give definitions or a rule, not both")
        }
        if batch, rules > 0 || !names.isEmpty || config != nil || from != nil || json {
            throw ValidationError("--batch takes everything from its input; give no other option")
        }
    }

    func run() throws {
        StandardError.shared.warnOfMachineZone()
        if batch { return try BatchLoop().run() }
        let from = try self.from.map(start)
        let result = try reportingFailure { () throws(ToolError) in try found(from) }
        StandardError.shared.write(
            DiagnosticFormat.text.render(result.diagnostics)
                + result.unknown.map { "tminus: \(StandardError.shortened($0))\n" }.joined())
        try StandardOutput.write(json ? result.json : result.text)
        if result.hasErrors { throw ExitStatus.badData }
    }

    /// The instant of `--from`, in the zone of the rule.
    private func start(_ text: String) throws -> String {
        let date: PlainDate
        do {
            date = try GivenDate.read(text, for: "--from", in: rule.zone)
        } catch {
            // With a rule, it is reported with its place.
            guard rule.rules > 0 else { throw error }
            return text
        }
        GivenDate.say(date, of: text, for: "--from")
        return date.instant.rfc3339
    }

    private func found(_ from: String?) throws(ToolError) -> NextResult {
        if rule.rules > 0 {
            let from = from.map { [(name: "from", value: $0)] } ?? []
            return NextResult.ofRule(rule.understood() + from, limit: limit)
        }
        return try NextResult.ofDefinitions(
            names, config: config, from: from, limit: limit, allowsInsecurePermissions: insecurePermissions,
            sinks: Daemon.standardSinks)
    }
}
