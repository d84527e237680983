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
            let report = try await self.report()
            try StandardOutput.write(json ? report.json : StandardError.shortened(report.text))
            if report.hasErrors { throw ExitStatus.badData }
        } catch let error as DaemonError {
            throw reported(error)
        }
    }

    private func report() async throws -> DoctorReport {
        let limit = Duration.seconds(10)
        let options = Given(config: places.config, state: places.state, store: store, socket: socket)
        guard let socket = try await Bounded.run(within: limit, { Result(catching: options.daemonSocket) })?.get()
        else {
            return Doctor.report(withoutAnswerFrom: options.paths, within: limit)
        }
        let answer = await ask(socket)
        let found = await Bounded.run(within: limit) {
            Result { () throws(DaemonError) in try options.places(answer, socket) }
        }
        guard let places = try found?.get() else {
            return Doctor.report(withoutAnswerFrom: options.paths, within: limit)
        }
        let doctor = Doctor(
            places, version: TminusVersion.current, sinks: Daemon.standardSinks, usesNetwork: network,
            ask: { await ask(socket) })
        return await doctor.examine(answer, now: TimerFDClock.now)
    }

    /// The places that a user named.
    private struct Given: Sendable {
        var config: String?
        var state: String?
        var store: String?
        var socket: String?

        /// As they were written, those of the store first. A database is none.
        var paths: [String] {
            [store, state, config, socket].compactMap(\.self).filter { !StoreLocation.isDatabase($0) }
        }

        /// The socket of the daemon. Looks at it too, so that asking the daemon does not wait for its file system.
        func daemonSocket() throws(DaemonError) -> String {
            let path = MachinePaths.absolute(try ControlSocketPath.expected(socket: socket, state: state))
            _ = Permissions.exists(path)
            return path
        }

        /// The places that options name, else those of the daemon that answered, else the standard ones.
        func places(_ answer: DaemonFacts.Answer, _ socket: String) throws(DaemonError) -> Doctor.Places {
            let daemon: (config: String?, state: String?, store: String?, isInDatabase: Bool) =
                switch answer {
                // A daemon tells the address of its database without what it takes to connect.
                case .facts(let facts) where StoreLocation.isDatabase(facts.store): (facts.config, nil, nil, true)
                case .facts(let facts): (facts.config, ParentDirectory.of(facts.store), facts.store, false)
                case .standsBy(let config, let state, _): (config, state, nil, true)
                case .none, .forbidden, .silent: (nil, nil, nil, false)
                }
            let config = config ?? daemon.config
            let standard = config == nil ? (try? ConfigDirectory(nil))?.path : nil
            let state = state ?? daemon.state
            let isInDatabase = store == nil && daemon.isInDatabase
            let options = try DaemonOptions(
                config: config ?? standard ?? "/etc/tminus", state: state, store: store ?? daemon.store)
            return Doctor.Places(
                config: config == nil && standard == nil ? nil : options.configDirectory, state: options.stateDirectory,
                store: isInDatabase ? nil : options.store, socket: socket)
        }
    }

    private func ask(_ socket: String) async -> DaemonFacts.Answer {
        if let daemon = ControlSocketPath.standby(socket: self.socket, state: places.state) {
            return .standsBy(
                config: daemon.standby.config, state: daemon.directory, problem: daemon.standby.problem)
        }
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
        // The control socket tells them to everybody who may use it.
        let (process, config, store) = (Int32(clamping: status.processID ?? 0), status.config ?? "", status.store ?? "")
        let environment = ProcessEnvironment.isSameProgram(process) ? ProcessEnvironment.of(process) : nil
        self.init(
            process: process, version: status.version, config: config, store: store,
            hash: status.live.hash, isInOrder: status.live.isInOrder,
            attention: status.attention.map { Attention(FindingCode($0.reason), $0.message) },
            warnings: status.warnings, damagedRows: status.damagedRows,
            polling: status.watching.mode == .polling ? status.watching.message ?? "no reason is known" : nil,
            isStrict: status.profile == ServiceEnvironment.Profile.strict.rawValue, environment: environment)
    }
}

extension StatusAnswer {
    /// The warnings of all files, by `path:line:column`.
    fileprivate var warnings: [String: String] {
        let all = files.flatMap { file in
            file.diagnostics.filter { $0.severity == "warning" }
                .map { ("\(file.path):\($0.line ?? 0):\($0.column ?? 0)", $0.message) }
        }
        return Dictionary(all, uniquingKeysWith: { first, _ in first })
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
            case .unplacedSink: .unplacedSink
            case .otherFiles: .otherFiles
            }
    }
}
