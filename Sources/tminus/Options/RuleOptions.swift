internal import ArgumentParser

/// A rule on the command line.
struct RuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Five fields as in crontab(5), six with seconds first, or @daily and kin.", valueName: "expr"))
    var cron: String?

    @Option(help: ArgumentHelp("A recurrence rule of RFC 5545; needs --start.", valueName: "rule"))
    var rrule: String?

    @Option(help: ArgumentHelp("A date and time. May be repeated.", valueName: "time"))
    var at: [String] = []

    @Option(help: ArgumentHelp("A distance: days and more on the calendar, less in real time.", valueName: "span"))
    var every: String?

    @Option(help: ArgumentHelp("The time zone of local times. Default: that of the machine.", valueName: "zone"))
    var tz: String?

    @Option(help: ArgumentHelp("Where the rule begins.", valueName: "time"))
    var start: String?

    @Option(help: ArgumentHelp("The last moment.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("How many occurrences there are from --start on.", valueName: "count"))
    var count: String?

    @Option(help: ArgumentHelp("A day or time that is left out. May be repeated.", valueName: "time"))
    var except: [String] = []

    @Option(
        help: ArgumentHelp("Local times that are skipped or repeated: compatible, skip or both.", valueName: "policy"))
    var dst: String?

    @Option(help: ArgumentHelp("A reminder so long before. May be repeated.", valueName: "lead"))
    var before: [String] = []

    /// How many rules there are.
    var rules: Int { (cron == nil ? 0 : 1) + (rrule == nil ? 0 : 1) + (at.isEmpty ? 0 : 1) + (every == nil ? 0 : 1) }

    /// All that were given, by name.
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
