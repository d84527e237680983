package import TminusCore
internal import TminusSQLite
internal import TminusSystem

/// `tminus doctor`: looks at everything that keeps a daemon from doing its work, and changes nothing.
package struct Doctor: Sendable {
    /// Where to look. Paths are absolute.
    package struct Places: Sendable {
        /// The config directory; nil if there is none.
        package var config: String?
        /// The state directory.
        package var state: String
        /// The store; nil if it is the database of a daemon that answers, which says itself how it is.
        package var store: StoreLocation?
        /// The control socket.
        package var socket: String

        /// The given places.
        package init(config: String?, state: String, store: StoreLocation?, socket: String) {
            self.config = config
            self.state = state
            self.store = store
            self.socket = socket
        }
    }

    /// Asks the daemon how it is.
    package typealias Question = @Sendable () async -> DaemonFacts.Answer

    private let places: Places
    private let version: String
    private let sinks: [any Sink.Type]
    private let usesNetwork: Bool
    private let ask: Question
    /// How long a place may take to answer, and the reading of all files or of the store.
    private let limits: (short: Duration, long: Duration)

    /// A look at these places.
    ///
    /// - Parameters:
    ///   - version: The version of this program.
    ///   - usesNetwork: Whether to connect to the servers of webhooks.
    ///   - limits: How long a place may take to answer, and the reading of all files or of the store.
    ///   - ask: Asks the daemon again, when it may not have read the latest files.
    package init(
        _ places: Places, version: String, sinks: [any Sink.Type], usesNetwork: Bool,
        limits: (short: Duration, long: Duration) = (.seconds(10), .seconds(120)), ask: @escaping Question
    ) {
        self.places = places
        self.version = version
        self.sinks = sinks
        self.usesNetwork = usesNetwork
        self.limits = limits
        self.ask = ask
    }

    /// Everything that is wrong.
    ///
    /// - Parameter answer: What the daemon answered.
    package func examine(_ answer: DaemonFacts.Answer, now: Timestamp) async -> DoctorReport {
        let zones = SystemZoneDatabase()
        var findings = answer.findings(socket: places.socket)
        let (review, more) = await self.review(zones, now)
        findings += more + review.findings
        let user = await bounded(places.state, limits.short, &findings) { [places] in
            Self.user(of: answer, places)
        }
        let process = Self.process(of: answer) ?? MachinePaths.processID
        findings += LimitFacts.ofMachine(process: process, directories: review.directories.count).findings
        findings += ClockFacts.ofMachine(now: now, zoneData: zones.version, definitions: review.set).findings
        findings += ZoneFacts.ofMachine(zones, unknown: review.unknownZones, now: now).findings
        findings += await ofStore(user ?? UserName.ownID)
        findings += await ofSinks(review, answer.facts, user ?? UserName.ownID)
        if let user { findings += await ofPermissions(review, user) }
        if usesNetwork { findings += await NetworkFacts.ofMachine(NetworkFacts.servers(of: review.set)).findings }
        if let facts = answer.facts { findings += await ofDaemon(facts, review, zones) }
        return DoctorReport(findings)
    }

    /// The report if the places that a user named do not even tell what they are. Nothing else is looked at.
    package static func report(withoutAnswerFrom paths: [String], within limit: Duration) -> DoctorReport {
        let disks = paths.map { DiskFacts(path: $0, type: MountTable.ofProcess.type(of: $0)) }
        let subject = disks.first(where: \.isNetwork)?.path ?? paths.first ?? "the state directory"
        return DoctorReport(disks.filter(\.isNetwork).flatMap(\.findings) + [noAnswer(subject, limit)])
    }

    // MARK: - Areas

    private func review(_ zones: SystemZoneDatabase, _ now: Timestamp) async -> (DefinitionReview, [Finding]) {
        var findings: [Finding] = []
        guard let config = places.config else {
            return (
                DefinitionReview(without: ""),
                [
                    Finding(
                        .warning, .noConfig, "config directory", "there is none",
                        fix: "mkdir -p ~/.config/tminus, or name one with --config")
                ]
            )
        }
        let isThere = await bounded(config, limits.short, &findings) {
            MachinePaths.firstDirectory(of: [config]) != nil
        }
        if isThere == false {
            findings.append(
                Finding(
                    .error, .noConfig, config, "there is no such directory",
                    fix: "mkdir -p \(ShellWord.quoted(config)), or name another with --config"))
        }
        guard isThere == true else { return (DefinitionReview(without: config), findings) }
        // Only what the file system does may hang; many definitions take their time.
        let content = await bounded(config, limits.long, &findings) { DefinitionReview.Content(of: config) }
        let review = content.map { DefinitionReview(of: config, $0, zones: zones, sinks: sinks, now: now) }
        return (review ?? DefinitionReview(without: config), findings)
    }

    private func ofStore(_ user: UInt32) async -> [Finding] {
        switch places.store {
        case .file(let path): await ofStore(path, user)
        case .database(let address): await ofDatabase(address)
        case nil: []
        }
    }

    private func ofDatabase(_ address: String) async -> [Finding] {
        var findings: [Finding] = []
        let facts = await bounded("the database", limits.long, &findings) { DatabaseFacts.ofServer(address) }
        return findings + (facts?.findings ?? [])
    }

    private func ofStore(_ store: String, _ user: UInt32) async -> [Finding] {
        var findings: [Finding] = []
        let disk = await bounded(store, limits.short, &findings) {
            DiskFacts.ofMachine(MachinePaths.absolute(ParentDirectory.of(store)))
        }
        guard let disk else { return findings }
        findings += disk.findings
        guard !disk.isNetwork else { return findings }
        let facts = await bounded(store, limits.long, &findings) {
            let directory = ParentDirectory.of(store)
            return StoreFacts(
                path: store, examination: StoreExamination(of: store),
                isClosed: user == UserName.ownID && Permissions.exists(directory) && !FileAccess.isWritable(directory))
        }
        return findings + (facts?.findings ?? [])
    }

    private func ofSinks(_ review: DefinitionReview, _ facts: DaemonFacts?, _ user: UInt32) async -> [Finding] {
        var findings: [Finding] = []
        let isSure = facts?.environment != nil && [0, user].contains(UserName.ownID)
        let isSame = facts.map { MachinePaths.absolute($0.config) } == places.config
        let sinks = await bounded("what sinks need", limits.short, &findings) {
            SinkFacts.ofMachine(
                review.needs, environment: facts?.environment, isSure: isSure,
                told: isSame ? facts?.warnings ?? [:] : [:])
        }
        return findings + (sinks?.findings ?? [])
    }

    private func ofPermissions(_ review: DefinitionReview, _ user: UInt32) async -> [Finding] {
        var findings: [Finding] = []
        let places = places
        let permissions = await bounded("owners and modes", limits.long, &findings) {
            var paths: [(path: String, role: PermissionFacts.Role)] = []
            paths += (review.directories + review.files).map { ($0, .definition) }
            paths += [(places.state, .state)]
            if case .file(let store) = places.store {
                paths += [(ParentDirectory.of(store), .state), (store, .store), ("\(store)-wal", .store)]
            }
            paths += [(places.socket, .socket), (ParentDirectory.of(places.socket), .socket)]
            paths += review.sinkFiles
            return PermissionFacts.ofMachine(paths, user: user)
        }
        return findings + (permissions?.findings ?? [])
    }

    /// The daemon reads a changed file after a moment, so it is asked again before its content counts as not in force.
    private func ofDaemon(
        _ facts: DaemonFacts, _ review: DefinitionReview, _ zones: SystemZoneDatabase
    ) async -> [Finding] {
        var (facts, review) = (facts, review)
        let isSame = MachinePaths.absolute(facts.config) == places.config
        for _ in 0..<20 where isSame && facts.isInOrder && review.hash != facts.hash && review.errors.isEmpty {
            try? await Task.sleep(for: .milliseconds(250))
            guard case .facts(let next) = await ask() else { break }
            let again = await Bounded.run(within: limits.long) { [review] in
                DefinitionReview.Content(of: review.directory)
            }
            guard let again else { break }
            facts = next
            review = DefinitionReview(
                of: review.directory, again, zones: zones, sinks: sinks, now: TimerFDClock.now)
        }
        return facts.findings(
            DaemonFacts.Disk(
                hash: isSame ? review.hash : nil, hasBrokenFiles: isSame && !review.errors.isEmpty,
                commands: review.commands),
            version: version)
    }

    // MARK: - Help

    /// Runs work that may never end. Adds a finding and returns nil if it takes too long.
    private func bounded<Value: Sendable>(
        _ subject: String, _ limit: Duration, _ findings: inout [Finding], _ work: @escaping @Sendable () -> Value
    ) async -> Value? {
        let value = await Bounded.run(within: limit, work)
        if value == nil { findings.append(Self.noAnswer(subject, limit)) }
        return value
    }

    private static func noAnswer(_ subject: String, _ limit: Duration) -> Finding {
        Finding(
            .error, .noAnswer, subject,
            "gives no answer within \(limit.components.seconds) s: a file system or a server hangs",
            fix: "see 'mount' and 'dmesg', and unmount what does not answer with umount --force")
    }

    /// The daemon's process, if this process can see it by its number.
    private static func process(of answer: DaemonFacts.Answer) -> Int32? {
        answer.facts.map(\.process).flatMap { ProcessEnvironment.isSameProgram($0) ? $0 : nil }
    }

    /// The user of the daemon, or the one who would start it: for root, the owner of the state.
    private static func user(of answer: DaemonFacts.Answer, _ places: Places) -> UInt32 {
        if let user = process(of: answer).flatMap(ProcessEnvironment.user) { return user }
        if case .forbidden = answer, let owner = FileAccess(at: places.socket)?.owner { return owner }
        guard UserName.ownID == 0, let owner = FileAccess(at: places.state)?.owner else { return UserName.ownID }
        return owner
    }
}
