internal import ArgumentParser
internal import TminusCore
internal import TminusTooling

/// `tminus add stopwatch`
struct AddStopwatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stopwatch",
        abstract: "Add a stopwatch, which counts up.",
        discussion: """
              tminus add stopwatch workout --at-elapsed 30m
            """
    )

    @Argument(help: "The name. The id is derived from it.")
    var title: [String]

    @Option(
        help: ArgumentHelp(
            "An alert at this elapsed time, such as 30m, or several separated by commas. May be repeated.",
            valueName: "time"))
    var atElapsed: [String] = []

    @Option(
        help: ArgumentHelp("manual: 'tminus start' starts it. auto: it starts when it is loaded.", valueName: "start"))
    var start: String?

    @Option(help: ArgumentHelp("A sink for alerts. May be repeated.", valueName: "sink"))
    var onElapsed: [String] = []

    @OptionGroup var definition: DefinitionOptions
    @OptionGroup var options: ConfigOptions

    func run() async throws {
        let directory = await options.directory()
        let (id, name) = try definition.identity(title.joined(separator: " "))
        var entries = definition.entries(name: name)
        let times = atElapsed.flatMap { $0.split(separator: ",") }
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        entries.add("at-elapsed", list: times.map { Node(.scalar($0)) })
        entries.add("start", start)
        entries.add("on-elapsed", list: onElapsed.map(ActionOptions.action))
        try reportingRefusals {
            let files = try options.files(in: directory)
            let outcome = try files.add(.stopwatch, id: id, file: options.file) { _ in entries }
            try AddedDefinition(outcome, now: files.now).write(json: options.json)
        }
    }
}
