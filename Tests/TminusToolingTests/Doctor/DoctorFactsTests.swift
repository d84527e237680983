import Foundation
import Glibc
import Testing
import TminusCore
import TminusSQLite
import TminusStorage
import TminusSystem
import TminusTestKit

@testable import TminusTooling

/// The decisions, as functions of plain values.
@Suite("Decisions of doctor")
struct DoctorFactsTests {
    private typealias Setting = SystemLimits.Setting

    private func codes(_ findings: [Finding]) -> [String] { findings.map { "\($0.severity): \($0.code.rawValue)" } }

    private func instant(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    // MARK: - Limits

    @Test("fewer watches than directories, with room for other programs, name the limit and the sysctl")
    func watches() {
        func found(_ value: Int?, _ directories: Int) -> [Finding] {
            LimitFacts(
                watches: value.map { Setting("fs.inotify.max_user_watches", $0) }, instances: nil, descriptors: nil,
                directories: directories
            ).findings
        }
        #expect(found(nil, 1_000).isEmpty && found(8_192, 1_000).isEmpty && found(1_025, 1).isEmpty)
        #expect(codes(found(1_024, 1)) == ["warning: inotify-watches"])
        let finding = found(100, 1_000)[0]
        #expect(finding.subject == "fs.inotify.max_user_watches" && finding.message.contains("is 100 "))
        #expect(finding.message.contains("1000 directories"))
        #expect(finding.fix.hasPrefix("echo fs.inotify.max_user_watches=524288 | sudo tee "))
    }

    @Test("few instances and few descriptors are warnings with the limit and what to type")
    func otherLimits() {
        func found(_ instances: Int, _ descriptors: Int) -> [Finding] {
            LimitFacts(
                watches: nil, instances: Setting("user.max_inotify_instances", instances), descriptors: descriptors,
                directories: 1
            ).findings
        }
        #expect(found(128, 65_536).isEmpty && found(16, 1_024).isEmpty)
        #expect(codes(found(15, 1_023)) == ["warning: inotify-instances", "warning: descriptors"])
        #expect(found(4, 65_536)[0].fix.contains("user.max_inotify_instances=1024"))
        #expect(found(128, 256)[0].message.contains("256 open files"))
        #expect(found(128, 256)[0].fix.contains("LimitNOFILE=65536"))
    }

    // MARK: - Clock

    @Test(
        "an unsynchronised clock is a warning if something follows it, and names what; one before its zone data an error"
    )
    func clock() throws {
        func found(_ isSynchronised: Bool?, _ followers: [String], now: String = "2026-11-24T00:00:00Z") throws
            -> [Finding]
        {
            ClockFacts(
                isSynchronised: isSynchronised, now: try instant(now), zoneData: "2025b", followers: followers
            ).findings
        }
        #expect(try found(true, ["a"]).isEmpty && found(nil, ["a"]).isEmpty && found(false, []).isEmpty)
        let finding = try found(false, ["a", "b", "c", "d", "e"])[0]
        #expect(codes([finding]) == ["warning: clock-unsynchronised"])
        #expect(finding.message.hasSuffix(": a, b, c and 2 more") && finding.fix.contains("timedatectl set-ntp true"))
        for isSynchronised in [true, false, nil] {
            let wrong = try found(isSynchronised, [], now: "1970-01-01T00:00:09Z")
            #expect(codes(wrong) == ["error: clock-wrong"] && wrong[0].message.hasPrefix("says 1970-01-01"))
        }
    }

    @Test("events and timers on the wall clock follow the clock; other timers, stopwatches and what is disabled do not")
    func followers() throws {
        let directory = try TemporaryDirectory([
            "a.yaml": """
            events: { party: { at: '2030-12-01T10:00:00Z' }, off: { at: '2030-12-01T10:00:00Z', enabled: false } }
            timers: { tea: { duration: 3m }, train: { duration: 3h, clock: wall } }
            stopwatches: { run: {} }
            """
        ])
        let review = DefinitionReview(
            of: directory.path, .init(of: directory.path), zones: SystemZoneDatabase(), sinks: [RecordingSink.self],
            now: Timestamp(seconds: 0))
        #expect(review.errors.isEmpty)
        #expect(ClockFacts.followers(in: review.set) == ["party", "train"])
    }

    // MARK: - Zones

    private func zones(
        hasZones: Bool = true, version: String? = "2025b", problem: String? = nil, isUnset: Bool = false,
        unknown: [String] = [], now: String = "2026-11-24T00:00:00Z"
    ) throws -> [Finding] {
        ZoneFacts(
            directory: "/usr/share/zoneinfo", hasZones: hasZones, version: version, machineProblem: problem,
            isUnset: isUnset, unknown: unknown, now: try instant(now)
        ).findings
    }

    @Test("zone data is old 18 months after the end of its year; without a version its age is unknown")
    func age() throws {
        #expect(try zones().isEmpty)
        #expect(try zones(now: "2027-06-30T23:59:59Z").isEmpty)
        let old = try zones(now: "2027-07-01T00:00:00Z")
        #expect(codes(old) == ["warning: zone-data-old"] && old[0].message.contains("2025b"))
        #expect(try zones(version: nil, now: "2040-01-01T00:00:00Z").isEmpty)
        #expect(try zones(version: "unknown", now: "2040-01-01T00:00:00Z").isEmpty)
    }

    @Test("no zones at all, a wrong or unset zone of the machine, and zones that definitions name are found")
    func zoneProblems() throws {
        // Without zones everything else follows from it.
        #expect(codes(try zones(hasZones: false, problem: "x", unknown: ["Mars/X"])) == ["error: zone-data-missing"])
        let wrong = try zones(problem: "TZ='Mars' is neither")
        #expect(codes(wrong) == ["warning: machine-zone"] && wrong[0].message.contains("TZ='Mars'"))
        #expect(try zones(isUnset: true)[0].message.contains("there is no /etc/localtime"))
        let unknown = try zones(unknown: ["Mars/X", "US/Eastern"])
        #expect(codes(unknown) == ["error: unknown-zone", "error: unknown-zone"])
        #expect(unknown[1].subject == "US/Eastern" && unknown[1].fix.contains("tzdata-legacy"))
    }

    // MARK: - Permissions

    private func permissions(_ role: PermissionFacts.Role, _ access: FileAccess, path: String = "/p/x") -> [Finding] {
        PermissionFacts(
            places: [.init(path: path, role: role, access: access)], user: 1_000, userName: "ada"
        ).findings
    }

    @Test(
        "what every user can write is an error with the chmod, above the places a warning; sticky directories are fine")
    func writable() {
        for role in [PermissionFacts.Role.definition, .state, .store, .socket, .program, .secret] {
            #expect(
                codes(permissions(role, FileAccess(owner: 1_000, mode: 0o622))) == ["error: others-can-write"],
                "\(role)")
            #expect(permissions(role, FileAccess(owner: 1_000, mode: 0o620)).isEmpty, "\(role)")
        }
        let above = FileAccess(owner: 0, mode: 0o777, isDirectory: true)
        #expect(codes(permissions(.above, above)) == ["warning: others-can-write"])
        #expect(permissions(.above, FileAccess(owner: 0, mode: 0o1777, isDirectory: true)).isEmpty)
        let hostile = permissions(.definition, FileAccess(owner: 0, mode: 0o666), path: "/p/a b'; rm -r x")
        #expect(hostile[0].fix == #"chmod o-w '/p/a b'\''; rm -r x'"#)
    }

    @Test("what belongs to another user than root and the daemon's is an error with the chown")
    func owner() {
        let found = permissions(.state, FileAccess(owner: 4_000_000, mode: 0o700, isDirectory: true))
        #expect(codes(found) == ["error: other-owner"])
        #expect(found[0].message.hasPrefix("belongs to user 4000000") && found[0].fix == "sudo chown ada /p/x")
        #expect(permissions(.state, FileAccess(owner: 0, mode: 0o700)).isEmpty)
    }

    @Test("a store and a secret that every user can read are a warning; definitions may be read")
    func readable() {
        for role in [PermissionFacts.Role.store, .secret] {
            #expect(codes(permissions(role, FileAccess(owner: 0, mode: 0o644))) == ["warning: others-can-read"])
            #expect(permissions(role, FileAccess(owner: 0, mode: 0o640)).isEmpty)
        }
        #expect(permissions(.definition, FileAccess(owner: 0, mode: 0o644)).isEmpty)
        #expect(permissions(.state, FileAccess(owner: 0, mode: 0o755, isDirectory: true)).isEmpty)
    }

    // MARK: - Disk

    private func disk(_ type: String?, _ bytes: UInt64, files: UInt64? = nil) -> [String] {
        codes(DiskFacts(path: "/s", type: type, room: DiskRoom(bytes: bytes, files: files)).findings)
    }

    @Test("little room is a warning, next to none an error; few inodes a warning, no limit none")
    func room() {
        #expect(disk("ext4", 256 << 20, files: 1_000).isEmpty && disk(nil, .max).isEmpty)
        #expect(disk("ext4", (256 << 20) - 1) == ["warning: disk-low"])
        #expect(disk("ext4", (16 << 20) - 1) == ["error: disk-full"])
        #expect(disk("ext4", .max, files: 999) == ["warning: inodes-low"])
        #expect(DiskFacts(path: "/s", type: "ext4").findings.isEmpty)
    }

    @Test(
        "a store on a network file system is an error, one in memory a warning",
        arguments: ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "ceph", "fuse.glusterfs"])
    func network(type: String) {
        #expect(disk(type, 0) == ["error: network-file-system"])
        #expect(disk("tmpfs", .max) == ["warning: memory-file-system"] && disk("fuse.ntfs", .max).isEmpty)
    }

    // MARK: - Store

    private func store(_ outcome: StoreExamination.Outcome, log: UInt64 = 0) -> [Finding] {
        StoreFacts(path: "/s/t.sqlite", examination: StoreExamination(outcome, logSize: log)).findings
    }

    @Test("each state of the store has its code, and the message does not repeat the path")
    func stores() {
        #expect(store(.absent).isEmpty && store(.whole(schema: 1, isCurrent: true), log: 64 << 20).isEmpty)
        #expect(codes(store(.whole(schema: 1, isCurrent: false))) == ["warning: store-older"])
        #expect(codes(store(.whole(schema: 0, isCurrent: false))) == ["warning: store-empty"])
        #expect(codes(store(.unchecked)) == ["warning: store-unchecked"])
        let damaged = store(.damaged("/s/t.sqlite: is damaged: Tree 2 page 4; stop tminus"))
        #expect(
            codes(damaged) == ["error: store-damaged"] && damaged[0].message == "is damaged: Tree 2 page 4; stop tminus"
        )
        let newer = store(.refused(StoreError(.tooNew, "/s/t.sqlite: was written by a newer tminus")))
        #expect(codes(newer) == ["error: store-newer"] && newer[0].message == "was written by a newer tminus")
        for kind in [StoreError.Kind.readOnly, .tooOld, .locked, .other, .full] {
            #expect(codes(store(.refused(StoreError(kind, "x")))) == ["error: store-refused"])
        }
        let log = store(.whole(schema: 1, isCurrent: true), log: (64 << 20) + 1)
        #expect(codes(log) == ["warning: store-log"] && log[0].subject == "/s/t.sqlite-wal")
    }

    // MARK: - Daemon

    private func daemon(
        version: String = "1", hash: String? = "h", isInOrder: Bool = true, attention: [DaemonFacts.Attention] = [],
        damagedRows: Int = 0, polling: String? = nil, isStrict: Bool = false, environment: [String: String]? = nil,
        disk: DaemonFacts.Disk = .init(hash: "h", hasBrokenFiles: false, commands: [])
    ) -> [Finding] {
        DaemonFacts(
            process: 7, version: version, config: "/c", store: "/s", hash: hash, isInOrder: isInOrder,
            attention: attention, damagedRows: damagedRows, polling: polling, isStrict: isStrict,
            environment: environment
        ).findings(disk, version: "1")
    }

    @Test("no daemon and one of another user are warnings; one that does not answer is an error")
    func answers() {
        #expect(codes(DaemonFacts.Answer.none("x").findings(socket: "/s")) == ["warning: no-daemon"])
        #expect(codes(DaemonFacts.Answer.forbidden("x").findings(socket: "/s")) == ["warning: daemon-of-other"])
        #expect(codes(DaemonFacts.Answer.silent("x").findings(socket: "/s")) == ["error: daemon-silent"])
    }

    @Test("a daemon that stands by is well, unless its database does not answer")
    func standby() {
        func found(_ problem: String?) -> [String] {
            codes(DaemonFacts.Answer.standsBy(config: "/c", state: "/s", problem: problem).findings(socket: "/s"))
        }
        #expect(found(nil).isEmpty)
        #expect(found("x") == ["error: store-trouble"])
    }

    @Test("what the daemon says that needs a person is found, a broken file only if the disk does not show it")
    func attention() {
        #expect(daemon().isEmpty)
        let codes: [FindingCode] = [
            .storeTrouble, .directoryTrouble, .deadLetters, .missingSink, .unplacedSink, .otherFiles, .fileBroken,
        ]
        let attention = codes.map { DaemonFacts.Attention($0, "m") }
        #expect(daemon(attention: attention).map(\.code) == codes)
        #expect(daemon(attention: attention).allSatisfy { $0.severity == .error && !$0.fix.isEmpty })
        let broken = DaemonFacts.Disk(hash: "h", hasBrokenFiles: true, commands: [])
        #expect(daemon(attention: attention, disk: broken).map(\.code) == codes.dropLast())
    }

    @Test("another version, damaged rows and polling are warnings")
    func warnings() {
        #expect(codes(daemon(version: "0.9")) == ["warning: other-version"])
        #expect(codes(daemon(damagedRows: 1)) == ["warning: damaged-rows"])
        #expect(daemon(damagedRows: 1)[0].message.hasPrefix("1 row "))
        let polling = daemon(polling: "no inotify watches left: raise it with 'sudo sysctl x=1'")
        #expect(codes(polling) == ["warning: polling"] && polling[0].message.contains("sysctl x=1"))
    }

    @Test("other content on the disk than in force is an error, unless the daemon or the disk shows why")
    func inForce() {
        let other = DaemonFacts.Disk(hash: "i", hasBrokenFiles: false, commands: [])
        #expect(codes(daemon(disk: other)) == ["error: not-in-force"])
        #expect(daemon(isInOrder: false, disk: other).isEmpty)
        #expect(daemon(disk: .init(hash: "i", hasBrokenFiles: true, commands: [])).isEmpty)
        #expect(daemon(disk: .init(hash: nil, hasBrokenFiles: false, commands: [])).isEmpty)
    }

    @Test("a unit without Type=notify or without a watchdog is a warning; a program of a unit is none")
    func unit() {
        let service = ["SYSTEMD_EXEC_PID": "7"]
        func found(_ variables: [String: String]) -> [String] { codes(daemon(environment: variables)) }
        #expect(found(service) == ["warning: unit-type"])
        #expect(found(service.merging(["NOTIFY_SOCKET": "/n"]) { $1 }) == ["warning: no-watchdog"])
        #expect(found(service.merging(["NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "1"]) { $1 }).isEmpty)
        #expect(found(["SYSTEMD_EXEC_PID": "8"]).isEmpty && found([:]).isEmpty)
    }

    @Test("the strict profile is a warning if sinks start commands, with the drop-in")
    func profile() {
        #expect(daemon(isStrict: true).isEmpty)
        let found = daemon(isStrict: true, disk: .init(hash: "h", hasBrokenFiles: false, commands: ["hook"]))
        #expect(codes(found) == ["warning: strict-profile"] && found[0].message.hasSuffix(": hook"))
        #expect(found[0].fix.contains("tminus-commands.conf"))
        #expect(daemon(disk: .init(hash: "h", hasBrokenFiles: false, commands: ["hook"])).isEmpty)
    }

    // MARK: - Sinks and servers

    @Test(
        "what a sink needs is an error if this process sees what the daemon sees, else a warning; each kind has its fix"
    )
    func needs() {
        let things: [(SinkNeed.Thing, String)] = [
            (.program("./a b.sh", directory: "/d"), "chmod +x '/d/./a b.sh'"),
            (.program("jq", directory: "/d"), "install"),
            (.variable("TOKEN"), "Environment=TOKEN=..."), (.file("/ca"), "chmod u+r /ca"),
            (.secretFile("/key"), "chmod u+r /key"), (.credential("chat"), "LoadCredential=chat:"),
            (.directory("/w"), "mkdir -p /w"), (.writableDirectory("/out"), "ReadWritePaths="),
        ]
        var missing = things.map { SinkFacts.Missing(thing: $0.0, place: "a.yaml:3", problem: "p", isSure: true) }
        for (finding, thing) in zip(SinkFacts(missing: missing).findings, things) {
            #expect(codes([finding]) == ["error: sink-need"] && finding.subject == "a.yaml:3")
            #expect(finding.fix.contains(thing.1), "\(finding.fix)")
        }
        for index in missing.indices { missing[index].isSure = false }
        #expect(SinkFacts(missing: missing).findings.allSatisfy { $0.severity == .warning })
    }

    @Test("a server without an address or a connection is an error that names the definitions")
    func servers() {
        let server = NetworkFacts.Server(host: "h.example", port: 443, definitions: ["a", "b"])
        let found = NetworkFacts(problems: [(server, .noAddress("unknown")), (server, .noConnection("refused"))])
            .findings
        #expect(codes(found) == ["error: no-address", "error: no-connection"])
        #expect(found.allSatisfy { $0.subject == "h.example:443" && $0.message.contains("which a, b send to") })
    }
}
