internal import ArgumentParser
internal import Glibc

/// The one binary: flags, signals and exit codes.
@main
struct Tminus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tminus",
        abstract:
            "Countdowns from files: events, timers and stopwatches whose reminders and expiries are delivered to sinks.",
        discussion: """
            Exit status: 0 success, 64 wrong usage, 65 bad definitions or an id that is not there, 69 no daemon, \
            70 internal error, 74 input/output error, 77 missing or too wide permissions.
            """,
        version: TminusVersion.current,
        subcommands: [
            Run.self, List.self, Show.self, Watch.self, TimerCommand.self, StopwatchCommand.self, Start.self,
            Pause.self, Resume.self, Stop.self, Reset.self, Lap.self, Snooze.self, Skip.self, Mute.self, Unmute.self,
            Fire.self, Why.self, History.self, Deliveries.self, Status.self, Reload.self, Wait.self, Add.self,
            Edit.self, Remove.self,
            Check.self, Diff.self, Next.self, Simulate.self, Schema.self,
        ]
    )

    static func main() async {
        // A reader that goes away is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
        if let word = unknownTopic(CommandLine.arguments.dropFirst()) {
            StandardError.shared.write("tminus: there is no command '\(word)'; 'tminus help' lists them\n")
            StandardError.shared.flush()
            exit(withError: ExitStatus.usage)
        }
        var command: any ParsableCommand
        do { command = try await asyncParseAsRoot() } catch { exit(withError: error) }
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            // The words were in order, and a value was not: the usage, which would be that of the root, says nothing of it.
            StandardError.shared.write("tminus: \(error.message)\n")
            StandardError.shared.flush()
            exit(withError: ExitStatus.usage)
        } catch {
            exit(withError: error)
        }
    }

    /// The word after `help` that is no command: the parser would show the help of the root, as though all were well.
    private static func unknownTopic(_ words: ArraySlice<String>) -> String? {
        guard words.first == "help" else { return nil }
        var known = configuration.subcommands
        for word in words.dropFirst() where !word.hasPrefix("-") && word != "help" {
            guard let command = known.first(where: { $0.configuration.commandName == word }) else { return word }
            known = command.configuration.subcommands
        }
        return nil
    }

    /// Each running command and each connection takes a few descriptors, and the usual limit of 1,024 is for programs that use
    /// select(2). The hard limit is the administrator's word.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
