internal import ArgumentParser
internal import Glibc

/// The one binary: flags, signals and exit codes.
@main
struct Tminus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tminus",
        abstract: "Countdowns from files: events and timers whose reminders and expiries are delivered to sinks.",
        discussion: """
            Exit status: 0 success, 64 wrong usage, 65 bad definitions, 70 internal error, 74 input/output error, \
            77 missing or too wide permissions.
            """,
        version: TminusVersion.current,
        subcommands: [Run.self, Check.self]
    )

    static func main() async {
        // A reader that goes away is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        occupyStandardDescriptors()
        await Self.main(nil)
    }

    /// Takes the place of standard streams that are closed, before a file of ours gets their number and output lands in it.
    ///
    /// Open for reading only, so that a write fails, as it does on a closed stream.
    private static func occupyStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is taken, which is this one (open(2)).
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
