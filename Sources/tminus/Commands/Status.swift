internal import ArgumentParser
internal import TminusControl
internal import TminusDaemon
internal import TminusSystem
internal import TminusTerminal
internal import TminusTooling

/// `tminus status`
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the daemon's health: what is in force, the problems of each file, undelivered deliveries.",
        discussion: """
            Exit status: 74 if the store cannot be written, 65 if part of the directory's content is not in force.

            With --exit-code, for scripts and probes: 0 if all is well, 1 if something needs a person. Then each reason is \
            written as one line: the store cannot be written, a file is broken, deliveries are dead, or deliveries wait \
            for a sink that no file declares. Each reason goes away when it has been dealt with. Deliveries that are \
            retried need no person yet. The exit status is 69 if no daemon answers.

              tminus status --exit-code || mail -s tminus admin

            With --ready, for probes in images without an HTTP client: 0 if work can be sent to the daemon, else 69, with \
            the names of what is missing: starting, stopping, store (it cannot be written) or socket. Broken files and \
            dead deliveries do not matter here.

            Of a daemon that stands by ('tminus run --standby') it says so, and which daemon leads. That is in order: the \
            exit status is 0, with --exit-code too, unless the database does not answer. It is not ready.
            """
    )

    @Flag(help: "Write a JSON object, with the last outcome of each definition.")
    var json = false

    @Flag(help: "Write only what needs a person, and exit with 1 if something does.")
    var exitCode = false

    @Flag(help: "Write only whether the daemon is ready, and exit with 69 if it is not.")
    var ready = false

    @OptionGroup(title: "Daemon")
    var control: ControlOptions

    func validate() throws {
        if ready, json || exitCode { throw ValidationError("--ready cannot be combined with --json or --exit-code") }
    }

    func run() async throws {
        if let daemon = ControlSocketPath.standby(socket: control.socket, state: control.state) {
            return try write(
                StandbyAnswer(
                    processID: daemon.process, state: daemon.directory, leader: daemon.standby.leader,
                    problem: daemon.standby.problem))
        }
        if ready {
            let (isReady, line) = try await control.ask { try await $0.probe("/readyz") }
            try StandardOutput.write(SafeText.line(line) + "\n")
            if !isReady { throw ExitStatus.unavailable }
            return
        }
        let status = try await control.ask { try await $0.status(definitions: json) }
        let text = exitCode ? StatusText.attention(status) : StatusText.render(status, zone: MachineZone.current)
        try StandardOutput.write(json ? String(decoding: try ControlJSON.encode(status), as: UTF8.self) + "\n" : text)
        guard !exitCode else {
            if !status.attention.isEmpty { throw ExitStatus.needsAttention }
            return
        }
        if !status.storeProblems.isEmpty { throw ExitStatus.inputOutput }
        if !status.live.isInOrder { throw ExitStatus.badData }
    }

    /// Writes the status of a daemon that stands by.
    private func write(_ status: StandbyAnswer) throws {
        if ready {
            try StandardOutput.write("not ready: stands by\n")
            throw ExitStatus.unavailable
        }
        let text = exitCode ? StandbyText.attention(status) : StandbyText.render(status)
        try StandardOutput.write(json ? String(decoding: try ControlJSON.encode(status), as: UTF8.self) + "\n" : text)
        if status.problem != nil { throw exitCode ? ExitStatus.needsAttention : ExitStatus.inputOutput }
    }
}
