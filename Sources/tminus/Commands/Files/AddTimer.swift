internal import ArgumentParser
internal import TminusCore
internal import TminusTooling

/// `tminus add timer`
struct AddTimer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timer",
        abstract: "Add a timer: a duration that is counted down.",
        discussion: """
            A duration and a name, in either order.

              tminus add timer 4m tea
              tminus add timer 1h 30m --name 'Roast' --remind 15m
              tminus add timer refresh 60s --repeat after-action --then ./refresh.sh
            """
    )

    @Argument(help: "The duration, such as 25m or 1:30:00, and the name.")
    var words: [String]

    @Option(help: ArgumentHelp("auto: it starts when it is loaded; manual: by 'tminus start'.", valueName: "start"))
    var start: String?

    @Option(help: ArgumentHelp("never, immediately, or after-action.", valueName: "repeat"))
    var `repeat`: String?

    @Option(help: ArgumentHelp("How many expiries.", valueName: "count"))
    var count: Int?

    @Option(help: ArgumentHelp("What it counts: elapsed, awake or wall.", valueName: "clock"))
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

    /// The most words at the beginning or the end that are a duration, and the others.
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
        // The words of the parser say what is wrong, of the first word that begins with a digit.
        let word = words.first { $0.first?.isNumber == true } ?? ""
        if case .failure(let problem) = CalendarSpan.parseDuration(word), !word.isEmpty {
            throw ValidationError(problem.message)
        }
        throw ValidationError("a duration is missing, such as 25m, '1h 30m' or 1:30:00")
    }
}
