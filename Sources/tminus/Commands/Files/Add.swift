internal import ArgumentParser

/// `tminus add`
struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an event, a timer or a stopwatch to a definition file. Needs no daemon.",
        discussion: """
            The rest of the file stays as it is, byte for byte. What is written is checked first, with all other files of the \
            directory; if anything is wrong, or another program changes the file meanwhile, nothing is written. A daemon that \
            watches the directory picks the file up at once.

            The definition goes into the file that --file names; else into the only one; else into events.yaml, timers.yaml or \
            stopwatches.yaml, if there is one, or tminus.yaml; else the former is made. In an empty directory tminus.yaml is made.

            Exit status 65 if a definition would have an error, or the id is taken; 74 or 77 if the file cannot be written.
            """,
        subcommands: [AddEvent.self, AddTimer.self, AddStopwatch.self]
    )
}
