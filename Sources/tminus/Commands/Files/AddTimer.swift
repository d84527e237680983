internal import ArgumentParser
internal import TminusCore
internal import TminusTooling

/// `tminus add timer`
struct AddTimer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer",
        abstract: "Add a timer, which counts down a duration.",
        discussion: """
            Give a duration and a name, in either order.

              tminus add timer 4m tea
              tminus add timer 1h 30m --name 'Roast' --remind 15m
              tminus add timer refresh 60s --repeat after-action --then ./refresh.sh
            """
    )

    @Argument(help: "The duration, such as 25m or 1:30:00, and the name.")
    var words: [String]

    @Option(
        help: ArgumentHelp("auto: it starts when it is loaded. manual: 'tminus start' starts it.", valueName: "start"))
    var start: String?

    @Option(help: ArgumentHelp("When it repeats: never, immediately or after-action.", valueName: "repeat"))
    var `repeat`: String?

    @Option(help: ArgumentHelp("The number of expiries.", valueName: "count"))
    var count: Int?

    @Option(help: ArgumentHelp("The clock it runs on: elapsed, awake or wall.", valueName: "clock"))
    var clock: String?

    @OptionGroup var definition: DefinitionOptions
    @OptionGroup var actions: ActionOptions
    @OptionGroup var options: ConfigOptions

    func run() async throws {
        let directory = await options.directory()
        let words = try DurationWords(self.words)
        let (id, name) = try definition.identity(words.title)
        var entries = definition.entries(name: name)
        entries.add("duration", words.duration)
        entries.add("start", start)
        entries.add("repeat", `repeat`)
        entries.add("count", count.map(String.init))
        entries.add("clock", clock)
        entries += actions.entries
        try reportingRefusals {
            let files = try options.files(in: directory)
            let outcome = try files.add(.timer, id: id, file: options.file) { _ in entries }
            try AddedDefinition(outcome, now: files.now).write(json: options.json)
        }
    }
}
