internal import ArgumentParser
internal import TminusCore
internal import TminusTooling

/// The options that give a rule on the command line.
struct RuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Five fields as in crontab(5), six with seconds first, or a macro such as @daily.", valueName: "expr"))
    var cron: String?

    @Option(help: ArgumentHelp("A recurrence rule of RFC 5545. Needs --start.", valueName: "rule"))
    var rrule: String?

    @Option(help: ArgumentHelp("A date and time. May be repeated.", valueName: "time"))
    var at: [String] = []

    @Option(
        help: ArgumentHelp("The interval. Days and longer are calendar units, shorter ones exact.", valueName: "span"))
    var every: String?

    @Option(
        name: .zone, help: ArgumentHelp("The time zone of local times. Default: the machine's.", valueName: "zone"))
    var tz: String?

    @Option(help: ArgumentHelp("The start of the rule.", valueName: "time"))
    var start: String?

    @Option(help: ArgumentHelp("The end of the rule.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("The number of occurrences from --start on.", valueName: "count"))
    var count: String?

    @Option(help: ArgumentHelp("A day or time to leave out. May be repeated.", valueName: "time"))
    var except: [String] = []

    @Option(
        help: ArgumentHelp(
            "What to do with local times that daylight saving skips or repeats: compatible, skip or both.",
            valueName: "policy"))
    var dst: String?

    @Option(help: ArgumentHelp("A reminder's lead time. May be repeated.", valueName: "lead"))
    var before: [String] = []

    /// The number of rules given.
    var rules: Int { (cron == nil ? 0 : 1) + (rrule == nil ? 0 : 1) + (at.isEmpty ? 0 : 1) + (every == nil ? 0 : 1) }

    /// The zone of local times. An unknown one is reported with the rule.
    var zone: Zone { tz.flatMap { MachineZone.zones.zone(named: $0) } ?? MachineZone.current }

    /// All options given, as name and value, with dates in plain words replaced by what they mean. A date that is not
    /// understood stays, so that it is reported with its place.
    func understood() -> [(name: String, value: String)] {
        all.map { option in
            let isBound = ["until", "except"].contains(option.name)
            guard isBound || ["at", "start"].contains(option.name),
                case .failure = DateTimeText.parse(option.value),
                let date = try? GivenDate.read(option.value, for: "--\(option.name)", in: zone)
            else { return option }
            GivenDate.say(date, of: option.value, for: "--\(option.name)", isBound: isBound)
            return (option.name, isBound ? date.writtenBound : date.written)
        }
    }

    /// All options given, as name and value.
    var all: [(name: String, value: String)] {
        func list(_ name: String, _ values: [String]) -> [(name: String, value: String)] { values.map { (name, $0) } }
        func single(_ name: String, _ value: String?) -> [(name: String, value: String)] {
            list(name, value.map { [$0] } ?? [])
        }
        return single("cron", cron) + single("rrule", rrule) + list("at", at) + single("every", every)
            + single("tz", tz) + single("start", start) + single("until", until) + single("count", count)
            + list("except", except) + single("dst", dst) + list("before", before)
    }
}
