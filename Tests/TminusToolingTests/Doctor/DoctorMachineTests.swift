import Foundation
import Glibc
import Synchronization
import Testing
import TminusCore
import TminusSQLite
import TminusSinks
import TminusStorage
import TminusSystem

@testable import TminusTooling

/// Doctor on real directories, stores, clocks and servers.
@Suite("Doctor on a machine")
struct DoctorMachineTests {
    private let root: TemporaryDirectory
    private var config: String { "\(root.path)/config" }
    private var state: String { "\(root.path)/state" }
    private var store: String { "\(state)/tminus.sqlite" }

    init() throws {
        root = try TemporaryDirectory()
        for directory in ["config", "state"] {
            try FileManager.default.createDirectory(
                atPath: "\(root.path)/\(directory)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        try root.write("config/a.yaml", "timers: { tea: { duration: 3m } }\n")
    }

    private func doctor(
        config: String?? = nil, store: String? = nil, usesNetwork: Bool = false,
        limits: (short: Duration, long: Duration) = (.seconds(60), .seconds(60)),
        ask: @escaping Doctor.Question = { .none("no daemon is running") }
    ) -> Doctor {
        Doctor(
            .init(
                config: config ?? self.config, state: state, store: .file(store ?? self.store),
                socket: "\(state)/control.sock"
            ),
            version: "1", sinks: StandardSinks.kinds, usesNetwork: usesNetwork, limits: limits, ask: ask)
    }

    /// The findings without those of the machine on which the tests run.
    private func findings(_ doctor: Doctor, _ answer: DaemonFacts.Answer = .none("no daemon is running")) async
        -> [Finding]
    {
        let machine: Set<FindingCode> = [
            .inotifyWatches, .inotifyInstances, .descriptors, .clockUnsynchronised, .zoneDataOld, .machineZone,
            .diskLow,
            .memoryFileSystem, .inodesLow,
        ]
        return await doctor.examine(answer, now: TimerFDClock.now).findings.filter { !machine.contains($0.code) }
    }

    private func codes(_ findings: [Finding]) -> [FindingCode] { findings.map(\.code) }

    /// A daemon that has the config directory in force.
    private func facts(hash: String?) -> DaemonFacts {
        DaemonFacts(process: getpid(), version: "1", config: config, store: store, hash: hash, isInOrder: true)
    }

    @Test("what the daemon finds missing is an error, although it is there for this process")
    func told() async throws {
        try root.write("config/a.yaml", "sinks: { out: { webhook-file: \(root.path)/out } }\n")
        var facts = facts(hash: nil)
        (facts.isInOrder, facts.warnings) = (
            false, ["a.yaml:1:31": "it is read-only", "a.yaml:9:1": "of another kind"]
        )
        let found = await findings(doctor(), .facts(facts)).filter { $0.code == .sinkNeed }
        #expect(found.map(\.message) == ["it is read-only"] && found.first?.severity == .error, "\(found)")
        facts.config = "/elsewhere"
        #expect(await findings(doctor(), .facts(facts)).allSatisfy { $0.code != .sinkNeed })
    }

    // MARK: - Places

    @Test("before the first start only the daemon is missing; nothing is made")
    func fresh() async throws {
        let found = await findings(doctor())
        #expect(codes(found) == [.noDaemon], "\(found)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: state).isEmpty)
    }

    @Test("without a config directory there is a warning; one that is named and not there is an error")
    func noConfig() async throws {
        let none = await findings(doctor(config: .some(nil)))
        #expect(codes(none) == [.noConfig, .noDaemon] && none[0].severity == .warning, "\(none)")
        let gone = await findings(doctor(config: "\(root.path)/gone"))
        #expect(codes(gone) == [.noConfig, .noDaemon] && gone[0].severity == .error)
        #expect(gone[0].fix.hasPrefix("mkdir -p \(root.path)/gone"))
    }

    @Test("a broken file and an unknown zone are found at their places; of several errors the first is shown")
    func broken() async throws {
        try root.write("config/b.yaml", "timers:\n  tea2: { duratoin: 3m, duration: soon }\n")
        try root.write("config/c.yaml", "events: { e: { at: 2030-01-01 09:00, timezone: Mars/Crater } }\n")
        let found = await findings(doctor())
        #expect(Set(codes(found)) == [.fileBroken, .unknownZone, .noDaemon], "\(found)")
        let broken = try #require(found.first { $0.subject == "b.yaml:2" })
        #expect(broken.message.hasSuffix("(and 1 more)") && broken.fix == "tminus check \(config)")
        #expect(found.contains { $0.code == .unknownZone && $0.subject == "Mars/Crater" })
    }

    @Test("definitions, state and secrets that others can write or own are found with what to type")
    func permissions() async throws {
        try FileManager.default.createDirectory(atPath: "\(config)/sub", withIntermediateDirectories: false)
        try root.write("config/sub/b.yaml", "timers: { egg: { duration: 3m } }\n")
        try root.write("token", "x")
        try root.write("hook.sh", "#!/bin/sh\n")
        try root.write(
            "config/s.yaml",
            "sinks: { s: { exec: [../hook.sh], environment: { T: { file: ../token } } } }\n")
        for (path, mode) in [
            (state, 0o777), (config, 0o700), ("\(config)/sub", 0o702), ("\(config)/sub/b.yaml", 0o606),
            ("\(root.path)/token", 0o644), ("\(root.path)/hook.sh", 0o757),
        ] {
            try #require(chmod(path, mode_t(mode)) == 0)
        }
        let found = await findings(doctor())
        let writable = Set(found.filter { $0.code == .othersCanWrite && $0.severity == .error }.map(\.subject))
        let real = MachinePaths.absolute(root.path)
        #expect(
            writable == [state, "\(config)/sub", "\(config)/sub/b.yaml", "\(real)/hook.sh"], "\(found)")
        #expect(found.filter { $0.code == .othersCanRead }.map(\.subject).map { $0.hasSuffix("token") } == [true])
        #expect(found.contains { $0.fix == "chmod o-w \(state)" })
    }

    @Test("a store elsewhere is looked at with its directory and its log")
    func storeElsewhere() async throws {
        try FileManager.default.createDirectory(atPath: "\(root.path)/other", withIntermediateDirectories: false)
        let path = "\(root.path)/other/store.sqlite"
        let used = try SQLiteStore(path: path)
        try await used.keep([KeptFile(path: "a", content: [1])], forget: [], root: "/c", now: Timestamp(seconds: 1))
        try #require(chmod("\(root.path)/other", 0o777) == 0 && chmod("\(path)-wal", 0o646) == 0)
        let found = await findings(doctor(store: path))
        let writable = found.filter { $0.code == .othersCanWrite && $0.severity == .error }.map(\.subject)
        #expect(writable == ["\(root.path)/other", "\(path)-wal"], "\(found)")
        #expect(found.filter { $0.code == .othersCanRead }.map(\.subject) == ["\(path)-wal"])
        try await used.close()
    }

    @Test("a directory above that every user can write is a warning", .enabled(if: geteuid() == 0))
    func above() async throws {
        try #require(chmod(root.path, 0o777) == 0 && chown(config, 65_534, 65_534) == 0)
        let found = await findings(doctor())
        #expect(found.contains { $0.code == .othersCanWrite && $0.subject == root.path && $0.severity == .warning })
        let owner = try #require(found.first { $0.code == .otherOwner })
        #expect(owner.subject == config && owner.fix == "sudo chown root \(config)")
    }

    // MARK: - Disk and store

    @Test(
        "a store in memory is found by its real file system",
        .enabled(if: MountTable.ofProcess.type(of: "/dev/shm") == "tmpfs"))
    func memory() {
        let facts = DiskFacts.ofMachine("/dev/shm")
        #expect(facts.type == "tmpfs" && facts.room != nil && facts.findings.map(\.code).contains(.memoryFileSystem))
    }

    @Test("a network file system is not asked for its room; another file system is")
    func disk() {
        let mounts = MountTable(
            Array("42 27 0:42 / \(state) rw - nfs4 host:/s rw\n43 1 8:1 / / rw - ext4 /dev/sda rw\n".utf8))
        #expect(DiskFacts.ofMachine(state, mounts: mounts).room == nil)
        #expect(DiskFacts.ofMachine(state, mounts: mounts).findings.map(\.code) == [.networkFileSystem])
        #expect(DiskFacts.ofMachine(root.path, mounts: mounts).room == DiskRoom(at: root.path))
    }

    @Test("a damaged store is an error, and a whole one that a daemon uses none")
    func stores() async throws {
        let used = try SQLiteStore(path: store)
        try await used.keep([KeptFile(path: "a", content: [1])], forget: [], root: "/c", now: Timestamp(seconds: 1))
        #expect(codes(await findings(doctor())) == [.noDaemon])
        try await used.close()
        let size = try #require(FilePlacing.size(of: store))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: store))
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: [UInt8](repeating: 0xAA, count: Int(size) - 4_096))
        try file.close()
        let found = await findings(doctor())
        #expect(codes(found) == [.storeDamaged, .noDaemon], "\(found)")
        #expect(found[0].subject == store && found[0].fix.contains("tminus restore"))
    }

    @Test("a named pipe in place of the store or of a definition is found at once", .timeLimit(.minutes(20)))
    func pipes() async throws {
        try #require(mkfifo(store, 0o600) == 0 && mkfifo("\(config)/p.yaml", 0o600) == 0)
        let found = await findings(doctor())
        #expect(codes(found) == [.storeRefused, .fileBroken, .noDaemon], "\(found)")
    }

    @Test("a log that is too large is found by its real size")
    func largeLog() async throws {
        let used = try SQLiteStore(path: store)
        try await used.keep([KeptFile(path: "a", content: [1])], forget: [], root: "/c", now: Timestamp(seconds: 1))
        // The end of the file has no frames, so SQLite does not read it.
        try #require(truncate("\(store)-wal", 65 << 20) == 0)
        let found = await findings(doctor())
        #expect(codes(found) == [.storeLog, .noDaemon], "\(found)")
        try await used.close()
    }

    // MARK: - What never answers

    @Test("work that never ends is given up; its finding names the place", .timeLimit(.minutes(20)))
    func hanging() async throws {
        let pipe = "\(root.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        // Opening a pipe without a writer never returns, as a file on a server that is gone.
        let opened = await Bounded.run(within: .milliseconds(50)) { open(pipe, O_RDONLY) }
        #expect(opened == nil)
        #expect(await Bounded.run(within: .seconds(180)) { 1 } == 1)
        let found = await findings(doctor(limits: (.seconds(60), .zero)))
        #expect(found.contains { $0.code == .noAnswer && $0.subject == config && $0.severity == .error }, "\(found)")
        let writer = open(pipe, O_WRONLY | O_NONBLOCK)
        close(writer)
    }

    // MARK: - Daemon

    @Test("the hash of the disk is that of the daemon; another is an error only if it stays so")
    func inForce() async throws {
        let zones = SystemZoneDatabase()
        let review = DefinitionReview(
            of: config, .init(of: config), zones: zones, sinks: StandardSinks.kinds, now: TimerFDClock.now)
        let hash = try #require(review.hash)
        #expect(codes(await findings(doctor(), .facts(facts(hash: hash)))).isEmpty)
        // It reads the file a moment later.
        let (current, late) = (facts(hash: hash), facts(hash: "other"))
        let asked = Mutex(0)
        let slow = doctor {
            asked.withLock { $0 += 1 }
            return .facts(asked.withLock { $0 } > 2 ? current : late)
        }
        #expect(codes(await findings(slow, .facts(late))).isEmpty && asked.withLock { $0 } == 3)
        let never = doctor { .facts(late) }
        #expect(codes(await findings(never, .facts(late))) == [.notInForce])
    }

    @Test("what sinks need is looked for in the environment of the daemon, else it is only a warning")
    func needs() async throws {
        try root.write("plain.sh", "#!/bin/sh\n")
        try root.write(
            "config/s.yaml",
            """
            sinks:
              gone: { exec: [./gone.sh] }
              plain: { exec: [../plain.sh] }
              named: { exec: [no-such-program-here] }
              hook: { webhook: { env: TMINUS_DOCTOR_URL }, ca-file: ../ca.pem, secret: { credential: chat } }
              out: { webhook-file: ../out/x.ndjson }
              work: { shell: 'true', directory: ../work }
            """)
        let unsure = await findings(doctor())
        #expect(unsure.filter { $0.code == .sinkNeed }.allSatisfy { $0.severity == .warning })
        // Only the daemon has credentials.
        #expect(unsure.filter { $0.code == .sinkNeed }.count == 7, "\(unsure)")
        var daemon = facts(hash: nil)
        daemon.environment = ["PATH": "/usr/bin:/bin", "TMINUS_DOCTOR_URL": "http://127.0.0.1/"]
        daemon.isInOrder = false
        let sure = await findings(doctor(), .facts(daemon))
        #expect(
            sure.filter { $0.code == .sinkNeed && $0.severity == .error }.map(\.subject)
                == ["s.yaml:2", "s.yaml:3", "s.yaml:4", "s.yaml:5", "s.yaml:5", "s.yaml:6", "s.yaml:7"], "\(sure)")
    }

    @Test("only --network connects: a server that listens is fine, a closed port and an unknown name are errors")
    func network() async throws {
        let listener = try ListeningPort()
        let closed = try ListeningPort()
        closed.close()
        try root.write(
            "config/w.yaml",
            """
            sinks:
              good: { webhook: 'http://127.0.0.1:\(listener.number)/secret?key=1' }
              shut: { webhook: 'http://127.0.0.1:\(closed.number)/x' }
              lost: { webhook: 'https://no-such-name.invalid/x' }
              hidden: { webhook: { env: TMINUS_DOCTOR_URL } }
              unused: { webhook: 'http://127.0.0.1:1/x' }
            timers: { one: { duration: 1h, on-expiry: [good, shut, lost, hidden] } }
            """)
        #expect(!codes(await findings(doctor())).contains { [.noAddress, .noConnection].contains($0) })
        let found = await findings(doctor(usesNetwork: true))
        #expect(found.filter { $0.code == .noConnection }.map(\.subject) == ["127.0.0.1:\(closed.number)"], "\(found)")
        #expect(found.filter { $0.code == .noAddress }.map(\.subject) == ["no-such-name.invalid:443"])
        #expect(found.filter { $0.code == .noAddress }[0].message.contains("which one send to"))
        listener.close()
    }

    @Test("a server whose name is never resolved is given up, and the others are tried", .timeLimit(.minutes(20)))
    func resolver() async throws {
        let servers = (0..<20).map { NetworkFacts.Server(host: "h\($0)", port: 1, definitions: ["a"]) }
        let end = DispatchSemaphore(value: 0)
        let facts = await NetworkFacts.ofMachine(servers, limit: .milliseconds(200)) { server in
            if server.host == "h3" { end.wait() }
            return server.host == "h19" ? .noConnection("x") : nil
        }
        end.signal()
        // On a busy machine others may take as long.
        #expect(
            facts.problems.contains {
                $0.server.host == "h3" && $0.problem == .noAddress("the resolver gives no answer")
            })
        #expect(facts.problems.contains { $0.server.host == "h19" })
    }

    // MARK: - Zones

    @Test("a directory without zones is an error, and a machine without a zone a warning")
    func zones() throws {
        let empty = SystemZoneDatabase(.init(directory: root.path, localtime: "\(root.path)/localtime"))
        let found = ZoneFacts.ofMachine(empty, unknown: [], now: TimerFDClock.now).findings
        #expect(found.map(\.code) == [.zoneDataMissing] && found[0].subject == root.path)
        func zone(_ setting: String?, localtime: String = "/nowhere") -> [FindingCode] {
            let database = SystemZoneDatabase(
                .init(directory: "/usr/share/zoneinfo", localtime: localtime, timezone: "/nowhere", setting: setting))
            return ZoneFacts.ofMachine(database, unknown: [], now: Timestamp(seconds: 1_700_000_000)).findings.map(
                \.code)
        }
        #expect(zone(nil) == [.machineZone] && zone("Mars/Crater") == [.machineZone])
        #expect(zone("Europe/Berlin") == [] && zone(nil, localtime: "/usr/share/zoneinfo/Europe/Berlin") == [])
        try root.link("dangling", to: "/nowhere/else")
        #expect(zone(nil, localtime: "\(root.path)/dangling") == [.machineZone])
    }

    @Test("the limits and the clock of this machine are read")
    func machine() {
        let limits = LimitFacts.ofMachine(process: getpid(), directories: 1)
        #expect(limits.watches == SystemLimits.watches && limits.instances == SystemLimits.instances)
        #expect(limits.descriptors == SystemLimits.descriptors(of: getpid()) && limits.descriptors != nil)
        let clock = ClockFacts.ofMachine(now: TimerFDClock.now, zoneData: nil, definitions: DefinitionSet())
        #expect(clock.isSynchronised == ClockSynchronisation.isInForce)
    }
}

/// A port on which something listens.
private final class ListeningPort {
    let number: Int
    private let descriptor: CInt

    init() throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        let descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(descriptor, raw, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, raw, &size) == 0
            }
        }
        try #require(isBound)
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    func close() { _ = Glibc.close(descriptor) }
}
