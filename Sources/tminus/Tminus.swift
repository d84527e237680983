internal import ArgumentParser
internal import Glibc

/// The `tminus` program: parses the command line, sets up signals and limits, and maps errors to exit codes.
@main
struct Tminus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tminus",
        abstract:
            "Countdowns from files: events, timers and stopwatches whose reminders and expiries are delivered to sinks.",
        discussion: """
            Exit status: 0 success, 64 wrong usage, 65 bad definitions or unknown id, 69 no daemon, 70 internal error, \
            74 input/output error, 77 permissions missing or too wide.
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
        // Without SIGPIPE, a reader that goes away causes an EPIPE error from write(2) instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
        if let word = unknownTopic(CommandLine.arguments.dropFirst()) {
            StandardError.shared.write("tminus: unknown command '\(word)'; 'tminus help' lists all commands\n")
            StandardError.shared.flush()
            exit(withError: ExitStatus.usage)
        }
        var command: any ParsableCommand
        do { command = try await asyncParseAsRoot() } catch { end(with: error) }
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            // Parsing succeeded but a value is invalid. Print only the message: ArgumentParser would add the usage of
            // the root command.
            StandardError.shared.write("tminus: \(error.message)\n")
            StandardError.shared.flush()
            exit(withError: ExitStatus.usage)
        } catch {
            end(with: error)
        }
    }

    /// Ends the program like `exit(withError:)`, but with its text made fit for a terminal: messages quote arguments.
    private static func end(with error: any Error) -> Never {
        let (code, text) = (exitCode(for: error), fullMessage(for: error))
        if !text.isEmpty, code.isSuccess {
            try? StandardOutput.write(text + "\n")
        } else if !text.isEmpty {
            StandardError.shared.write(text + "\n")
            StandardError.shared.flush()
        }
        Glibc.exit(code.rawValue)
    }

    /// Returns the word after `help` that names no command. ArgumentParser would show the root's help and succeed.
    private static func unknownTopic(_ words: ArraySlice<String>) -> String? {
        guard words.first == "help" else { return nil }
        var known = configuration.subcommands
        for word in words.dropFirst() where !word.hasPrefix("-") && word != "help" {
            guard let command = known.first(where: { $0.configuration.commandName == word }) else { return word }
            known = command.configuration.subcommands
        }
        return nil
    }

    /// Raises the soft limit on open files to the hard limit, at most 65,536. Each running command and connection takes
    /// a few descriptors; the default of 1,024 exists for programs that use select(2).
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
