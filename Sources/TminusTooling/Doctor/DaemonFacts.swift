internal import TminusSystem

/// What `tminus doctor` knows of the daemon: what it answers, and how it was started.
package struct DaemonFacts: Sendable, Hashable {
    /// Something that needs a person, as the daemon says it.
    package struct Attention: Sendable, Hashable {
        /// What kind of thing it is.
        package var code: FindingCode
        /// What is wrong, with what to do.
        package var message: String

        /// The given thing.
        package init(_ code: FindingCode, _ message: String) {
            self.code = code
            self.message = message
        }
    }

    /// The daemon's process id.
    package var process: Int32
    /// Its version.
    package var version: String
    /// Its config directory.
    package var config: String
    /// Its store.
    package var store: String
    /// The hash of what is in force; nil before anything is.
    package var hash: String?
    /// Whether it says that the whole directory is in force.
    package var isInOrder: Bool
    /// What it says that needs a person.
    package var attention: [Attention]
    /// Its warnings of files, by `path:line:column`.
    package var warnings: [String: String]
    /// How many rows of the store it has set aside.
    package var damagedRows: Int
    /// Why it polls the directory; nil if the kernel reports changes.
    package var polling: String?
    /// Whether its unit has the strict profile.
    package var isStrict: Bool
    /// The environment that it was started with; nil if it is hidden.
    package var environment: [String: String]?

    /// A daemon that answers, with all its facts.
    package init(
        process: Int32, version: String, config: String, store: String, hash: String?, isInOrder: Bool,
        attention: [Attention] = [], warnings: [String: String] = [:], damagedRows: Int = 0, polling: String? = nil,
        isStrict: Bool = false,
        environment: [String: String]? = nil
    ) {
        self.process = process
        self.version = version
        self.config = config
        self.store = store
        self.hash = hash
        self.isInOrder = isInOrder
        self.attention = attention
        self.warnings = warnings
        self.damagedRows = damagedRows
        self.polling = polling
        self.isStrict = isStrict
        self.environment = environment
    }

    /// What came of asking it.
    package enum Answer: Sendable, Hashable {
        /// It answers.
        case facts(DaemonFacts)
        /// There is none, with the reason.
        case none(String)
        /// It stands by, with these directories; an older program does not tell the first. Its database does not answer for the given
        /// reason; nil if that does.
        case standsBy(config: String?, state: String, problem: String?)
        /// It belongs to another user, who alone may ask it.
        case forbidden(String)
        /// It does not answer as a daemon does.
        case silent(String)
    }
}

extension DaemonFacts.Answer {
    /// The daemon's facts; nil if it does not answer.
    var facts: DaemonFacts? { if case .facts(let facts) = self { facts } else { nil } }

    /// Why there are no facts.
    func findings(socket: String) -> [Finding] {
        switch self {
        case .facts: []
        case .none(let reason):
            [Finding(.warning, .noDaemon, socket, reason, fix: "sudo systemctl start tminus, or tminus run")]
        case .standsBy(_, _, let problem):
            problem.map { reason in
                [
                    Finding(
                        .error, .storeTrouble, socket, "the database does not answer: \(reason)", fix: "tminus status")
                ]
            } ?? []
        case .forbidden(let reason):
            [Finding(.warning, .daemonOfOther, socket, reason, fix: "sudo tminus doctor")]
        case .silent(let reason):
            [
                Finding(
                    .error, .daemonSilent, socket, reason,
                    fix: "sudo systemctl restart tminus, or end the process and start tminus again")
            ]
        }
    }
}

extension DaemonFacts {
    /// What is on the disk, beside what the daemon says.
    struct Disk: Sendable {
        /// The hash of the directory's content; nil if it cannot be read.
        var hash: String?
        /// Whether a file has errors, which are findings of their own.
        var hasBrokenFiles: Bool
        /// The titles of the sinks that start commands.
        var commands: [String]
    }

    /// What is wrong.
    ///
    /// - Parameter version: The version of this program.
    func findings(_ disk: Disk, version: String) -> [Finding] {
        let subject = "daemon (process id \(process))"
        var found: [Finding] = []
        if self.version != version {
            found.append(
                Finding(
                    .warning, .otherVersion, subject, "is tminus \(self.version), and this program is \(version)",
                    fix: "sudo systemctl restart tminus"))
        }
        for attention in attention where attention.code != .fileBroken || !disk.hasBrokenFiles {
            found.append(
                Finding(.error, attention.code, subject, attention.message, fix: Self.fix(attention.code, config)))
        }
        if damagedRows > 0 {
            found.append(
                Finding(
                    .warning, .damagedRows, store,
                    FindingText.count(damagedRows, "row", "rows") + " cannot be read and were set aside",
                    fix:
                        "sqlite3 \(ShellWord.quoted(store)) 'SELECT * FROM damaged' shows them; restore a backup if they matter"
                ))
        }
        if let polling {
            found.append(
                Finding(
                    .warning, .polling, config, "the daemon looks for changes every 2 seconds: \(polling)",
                    fix: "do what the message says, and restart the daemon"))
        }
        if isInOrder, !disk.hasBrokenFiles, let live = disk.hash, live != hash {
            found.append(
                Finding(
                    .error, .notInForce, config, "the files there are not what the daemon has in force",
                    fix: "tminus reload --wait"))
        }
        return found + unitFindings(subject, disk.commands)
    }

    private func unitFindings(_ subject: String, _ commands: [String]) -> [Finding] {
        var found: [Finding] = []
        // Programs that a service started inherit the other variables (systemd.exec(5), SYSTEMD_EXEC_PID).
        if let environment, environment["SYSTEMD_EXEC_PID"] == String(process) {
            let edit = "under [Service] with 'systemctl edit tminus', and restart"
            if environment["NOTIFY_SOCKET", default: ""].isEmpty {
                found.append(
                    Finding(
                        .warning, .unitType, subject,
                        "its unit does not have Type=notify, so it counts as started too early",
                        fix: "Type=notify \(edit)"))
            } else if environment["WATCHDOG_USEC", default: ""].isEmpty {
                found.append(
                    Finding(
                        .warning, .noWatchdog, subject,
                        "its unit has no watchdog, so nothing restarts it when it hangs",
                        fix: "WatchdogSec=5min \(edit)"))
            }
        }
        if isStrict, !commands.isEmpty {
            found.append(
                Finding(
                    .warning, .strictProfile, subject,
                    "its unit has the strict profile, which forbids much to the commands of these sinks: \(FindingText.some(commands))",
                    fix: "sudo mkdir -p /etc/systemd/system/tminus.service.d && "
                        + "sudo ln -s /usr/share/tminus/tminus-commands.conf /etc/systemd/system/tminus.service.d/ && "
                        + "sudo systemctl daemon-reload && sudo systemctl restart tminus"))
        }
        return found
    }

    private static func fix(_ code: FindingCode, _ config: String) -> String {
        switch code {
        case .deadLetters:
            "tminus deliveries --only dead, then tminus deliveries retry --sink NAME, or discard; or name the ids"
        case .missingSink: "declare the sink again, or tminus deliveries discard --sink NAME"
        case .otherFiles: "copy the files of the leader to the other machine, or the other way round"
        case .unplacedSink: "start a daemon with --label, or change run-on of the sink"
        case .fileBroken: "tminus check \(ShellWord.quoted(config))"
        default: "tminus status"
        }
    }
}
