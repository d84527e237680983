internal import ArgumentParser

/// `tminus add`
struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an event, a timer or a stopwatch to a definition file. Needs no daemon.",
        discussion: """
            The rest of the file stays the same, byte for byte. The result is checked first, together with all other \
            files of the directory. If there is an error, or another program changes the file meanwhile, nothing is \
            written. A daemon that watches the directory applies the change at once.

            The definition goes into the first of these: the file named by --file; the only file of the directory; an \
            existing events.yaml, timers.yaml or stopwatches.yaml; an existing tminus.yaml; a new events.yaml, \
            timers.yaml or stopwatches.yaml. In an empty directory, tminus.yaml is created. If root creates a file, those who \
            may read the directory, as the service may read /etc/tminus, may read the file, whatever the umask.

            Exit status: 65 if the definition would have an error or the id is in use, 74 or 77 if the file cannot be \
            written.
            """,
        subcommands: [AddEvent.self, AddTimer.self, AddStopwatch.self]
    )
}
