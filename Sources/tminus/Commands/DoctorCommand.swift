internal import ArgumentParser
internal import TminusControl
internal import TminusDaemon
internal import TminusSystem
internal import TminusTooling

/// `tminus doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for what keeps a daemon from doing its work, and say what to type.",
        discussion: """
            Looks at the limits of the kernel, the clock, the time zones, owners and modes, the disk and the store, the \
            definitions and what their sinks need, the daemon and its unit. Changes nothing, sends nothing, and needs no \
            daemon: run it before the first start, and when something does not arrive.

            Without options it looks at the places of the daemon that answers, else at those that 'tminus run' would use. \
            Each problem has a code, the place, and what to do. Exit status: 0, or 65 with at least one error; warnings \
            alone are 0.

              sudo tminus doctor
            """
    )

    @Flag(help: "Also look up the servers of webhooks and connect to them. Sends nothing.")
    var network = false

    @Flag(help: "Write a JSON object.")
    var json = false

    @OptionGroup(title: "Places")
    var places: StorePlaces

    @Option(
        help: ArgumentHelp("The store: sqlite:PATH or a path. Default: that of the daemon.", valueName: "url"))
    var store: String?

    @Option(
        help: ArgumentHelp("The daemon's control socket. Default: as for 'tminus status'.", valueName: "path"))
    var socket: String?

    func run() async throws {
        do {
            let socket = MachinePaths.absolute(try ControlSocketPath.ofDaemon(socket: socket, state: places.state))
            let answer = await ask(socket)
            let doctor = Doctor(
                try found(answer, socket), version: TminusVersion.current, sinks: Daemon.standardSinks,
                usesNetwork: network, ask: { await ask(socket) })
            let report = await doctor.examine(answer, now: TimerFDClock.now)
            try StandardOutput.write(json ? report.json : StandardError.shortened(report.text))
            if report.hasErrors { throw ExitStatus.badData }
        } catch let error as ToolError {
            throw reported(error)
        } catch let error as DaemonError {
            throw reported(error)
        }
    }

    /// The places that options name, else those of the daemon that answered, else the standard ones.
    private func found(_ answer: DaemonFacts.Answer, _ socket: String) throws(DaemonError) -> Doctor.Places {
        var facts: DaemonFacts?
        if case .facts(let given) = answer { facts = given }
        let config = places.config ?? facts?.config
        let standard = config == nil ? (try? ConfigDirectory(nil))?.path : nil
        let state = places.state ?? facts.map { ParentDirectory.of($0.store) }
        let options = try DaemonOptions(
            config: config ?? standard ?? "/etc/tminus", state: state, store: store ?? facts?.store)
        return Doctor.Places(
            config: config == nil && standard == nil ? nil : options.configDirectory, state: options.stateDirectory,
            store: options.storePath, socket: socket)
    }

    private func ask(_ socket: String) async -> DaemonFacts.Answer {
        do {
            let status = try await ControlClient.connected(to: socket) { try await $0.status() }
            return .facts(DaemonFacts(status))
        } catch let failure as ControlFailure {
            switch failure.kind {
            case .noDaemon:
                let reason = ControlSocketPath.ofDaemonWithout(socket: self.socket, state: places.state)
                return .none(reason ?? failure.message)
            case .permission, .refused(.forbidden): return .forbidden(failure.message)
            default: return .silent(failure.message)
            }
        } catch {
            return .silent("\(error)")
        }
    }
}

extension DaemonFacts {
    /// What the daemon answered, and how it was started.
    fileprivate init(_ status: StatusAnswer) {
        let process = Int32(clamping: status.processID)
        let environment = ProcessEnvironment.isSameProgram(process) ? ProcessEnvironment.of(process) : nil
        self.init(
            process: process, version: status.version, config: status.config, store: status.store,
            hash: status.live.hash, isInOrder: status.live.isInOrder,
            attention: status.attention.map { Attention(FindingCode($0.reason), $0.message) },
            damagedRows: status.damagedRows,
            polling: status.watching.mode == .polling ? status.watching.message ?? "no reason is known" : nil,
            isStrict: status.profile == ServiceEnvironment.Profile.strict.rawValue, environment: environment)
    }
}

extension FindingCode {
    /// The code for a reason of the daemon.
    fileprivate init(_ reason: StatusAnswer.Attention.Reason) {
        self =
            switch reason {
            case .store: .storeTrouble
            case .directory: .directoryTrouble
            case .file: .fileBroken
            case .deadLetters: .deadLetters
            case .missingSink: .missingSink
            }
    }
}
