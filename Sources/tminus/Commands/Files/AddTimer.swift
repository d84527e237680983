internal import ArgumentParser
internal import TminusCore
internal import TminusTooling

/// `tminus add timer`
struct AddTimer: ParsableCommand {
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

    func run() throws {
        let (duration, title) = try split()
        let (id, name) = try definition.identity(title)
        var entries = definition.entries(name: name)
        entries.add("duration", duration)
        entries.add("start", start)
        entries.add("repeat", `repeat`)
        entries.add("count", count.map(String.init))
        entries.add("clock", clock)
        entries += actions.entries
        try reportingRefusals {
            let files = try options.files()
            let outcome = try files.add(.timer, id: id, file: options.file) { _ in entries }
            try AddedDefinition(outcome, now: files.now).write(json: options.json)
        }
    }

    /// Splits off the longest run of words at either end that parses as a duration.
    private func split() throws -> (duration: String, title: String?) {
        func join(_ words: ArraySlice<String>) -> String { words.joined(separator: " ") }
        for count in stride(from: words.count, to: 0, by: -1) {
            for (candidate, rest) in [
                (words.prefix(count), words.dropFirst(count)), (words.suffix(count), words.dropLast(count)),
            ] {
                guard case .success = CalendarSpan.parseDuration(join(candidate)) else { continue }
                return (join(candidate), rest.isEmpty ? nil : join(rest))
            }
        }
        // The first word that begins with a digit was probably meant as the duration: report the parser's error for it.
        let word = words.first { $0.first?.isNumber == true } ?? ""
        if case .failure(let problem) = CalendarSpan.parseDuration(word), !word.isEmpty {
            throw ValidationError(problem.message)
        }
        throw ValidationError("the duration is missing; give one, such as 25m, '1h 30m' or 1:30:00")
    }
}
