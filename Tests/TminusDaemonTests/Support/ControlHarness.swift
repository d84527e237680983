import Foundation
import Logging
import ServiceLifecycle
import TminusControl
import TminusCore
import TminusTestKit
import TminusTooling
import TminusWatch

@testable import TminusDaemon
@testable import TminusDefinitions

/// A control server on a socket of its own. The test controls its schedule, store and clock.
final class ControlHarness: Sendable {
    let directory: String
    let path: String
    let clock = ManualClock(now: at(0))
    let desk: TestDesk
    let store = TroubledStore()
    let engine = Mailbox<EngineInput>()
    let log = LogRecord()
    let board: StatusPublisher
    private let hasSlowDefinitions: Bool
    private let readingLimit: Duration?
    let watch = Watched(WatchStatus())
    let reloads = Watched(0)
    let socketWatch = SocketWatch()
    let loader = Mailbox<LoaderInput>()
    let probes: Probes
    private let files: FileDesk

    /// - Parameters:
    ///   - isStarting: nothing is in force yet.
    ///   - hasSlowDefinitions: what is made without a file is not in force until the test puts it there.
    ///   - readingLimit: how long a client may leave an answer unread; nil: as in the daemon.
    init(isStarting: Bool = false, hasSlowDefinitions: Bool = false, readingLimit: Duration? = nil) throws {
        self.hasSlowDefinitions = hasSlowDefinitions
        self.readingLimit = readingLimit
        directory = NSTemporaryDirectory() + "tminus-control-" + UUID().uuidString.prefix(8)
        path = directory + "/control.sock"
        try FileManager.default.createDirectory(
            atPath: directory + "/config", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var config = try ConfigDirectory(directory + "/config")
        // Other tests of this process change the mask of new files.
        config.allowsInsecurePermissions = true
        files = FileDesk(config, sinks: [RecordingSink.self], logger: log.logger)
        desk = TestDesk(clock: clock, store: store)
        let watch = watch
        board = StatusPublisher { watch.value }
        probes = Probes(
            health: HealthDesk(engine: engine, loader: loader), readiness: Readiness(status: board, socket: socketWatch)
        )
        if !isStarting {
            let load = Self.load(ofState: 0)
            board.publish(load)
            board.publish(inForce: load)
        }
    }

    /// A load of an empty directory.
    static func load(ofState state: Int) -> LoadStatus {
        var load = LoadStatus()
        load.take(
            LoadResult(set: DefinitionSet(), files: [], diagnostics: [], hash: "ab"), state: state, isOtherSet: true,
            parsedFiles: 0, zoneVersion: nil, problems: [], at: at(0))
        return load
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    func api(
        doors: WebDoors = WebDoors(), tokens: TokenDesk = TokenDesk(), rules: WebRules = WebRules()
    ) -> ControlAPI {
        let reloads = reloads
        let admission = Admission(
            tokens, sessions: SessionDesk(store: store, clock: clock, logger: log.logger), rules: rules,
            logger: log.logger)
        return ControlAPI(
            desk: desk, definitions: TestDefinitions(desk: desk, clock: clock, isSlow: hasSlowDefinitions),
            store: store, engine: engine, clock: clock,
            facts: ControlAPI.Facts(
                version: "test", started: at(0), config: "/config", store: "memory", source: "/tminus/test"),
            status: board, reloads: ReloadDesk(status: board) { reloads.update { $0 += 1 } }, files: files,
            probes: probes, doors: doors, admission: admission)
    }

    func server(paths: [String]? = nil) -> ControlServer {
        var server = ControlServer(
            paths: paths ?? [path], allowsInsecurePermissions: false, api: api(), watch: socketWatch,
            logger: log.logger)
        if let readingLimit { server.readingLimit = readingLimit }
        // A test that waits for a thread to send its request is not an idle client.
        server.pauseLimit = Bounded.limit
        return server
    }

    /// Runs the server while `body` runs, and stops it gracefully.
    func run(_ body: @escaping @Sendable (ServiceGroup) async throws -> Void) async throws {
        let group = ServiceGroup(
            services: [server()], logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
        let task = Task { try await group.run() }
        do {
            try await answers()
            try await Bounded.value("the body of a test") { try await body(group) }
        } catch {
            task.cancel()
            throw error
        }
        await group.triggerGracefulShutdown()
        try await Bounded.value("the end of the server") { try await task.value }
    }

    /// Runs it with a client.
    func run(_ body: @escaping @Sendable (ControlClient) async throws -> Void) async throws {
        let path = path
        try await run { (_: ServiceGroup) async throws in
            try await ControlClient.connected(to: path, patience: Bounded.limit) { try await body($0) }
        }
    }

    /// Waits until the server answers.
    private func answers() async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            do {
                _ = try await ControlClient.connected(to: path) { try await $0.status() }
                return
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                // The socket appears without telling anybody.
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }
}
