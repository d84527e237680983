internal import ArgumentParser
internal import Glibc
internal import TminusTerminal

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
            Edit.self, Remove.self, Import.self,
            Check.self, Diff.self, Next.self, Simulate.self, Schema.self, BackupCommand.self, RestoreCommand.self,
            StoreCommand.self, DoctorCommand.self, WebCommand.self, TokenCommand.self,
        ]
    )

    static func main() async {
        // Without SIGPIPE, a reader that goes away causes an EPIPE error from write(2) instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
        // Swift finds the arguments with the help of /proc/self/maps. Without them, `tminus run` would print the help
        // and succeed.
        if CommandLine.arguments.isEmpty {
            end("tminus: cannot find its arguments: /proc/self/maps cannot be read", ExitStatus.inputOutput)
        }
        // ArgumentParser shows the root's help for an unknown topic and succeeds.
        if CommandLine.arguments.dropFirst().first == "help" { exitIfAWordIsUnknown() }
        var command: any ParsableCommand
        do { command = try await asyncParseAsRoot() } catch {
            // Only now, because a request for help succeeds whatever else was typed. ArgumentParser may report what
            // follows from the unknown word instead of the word itself.
            if !exitCode(for: error).isSuccess { exitIfAWordIsUnknown() }
            end(with: error)
        }
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            // Parsing succeeded but a value is invalid. Print only the message: ArgumentParser would add the usage of
            // the root command.
            end("tminus: \(error.message)", ExitStatus.usage)
        } catch {
            end(with: error)
        }
    }

    /// Ends the program if a word of the command line is no command or option.
    private static func exitIfAWordIsUnknown() {
        guard let tree = CommandTree.parse(_dumpHelp()),
            let unknown = UnknownWord.first(in: CommandLine.arguments.dropFirst(), of: tree)
        else { return }
        end("tminus: \(SafeText.line(unknown.message))", ExitStatus.usage)
    }

    /// Ends the program like `exit(withError:)`, but with its text made fit for a terminal: messages quote arguments.
    private static func end(with error: any Error) -> Never {
        let (code, text) = (exitCode(for: error), fullMessage(for: error))
        guard code.isSuccess else { end(text, code) }
        if !text.isEmpty { try? StandardOutput.write(text + "\n") }
        Glibc.exit(code.rawValue)
    }

    private static func end(_ text: String, _ code: ExitCode) -> Never {
        if !text.isEmpty { StandardError.shared.report(text) }
        Glibc.exit(code.rawValue)
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
