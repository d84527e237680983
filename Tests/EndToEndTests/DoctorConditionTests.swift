import Foundation
import Glibc
import Testing

/// Conditions of the machine, of the store and of the daemon, made for real, where needed in namespaces and on file
/// systems of their own.
@Suite("Doctor in bad conditions")
struct DoctorConditionTests {
    private static let isRoot = geteuid() == 0

    private func places(_ scratch: Scratch) -> [String] { ["--config", scratch.config, "--state", scratch.state] }

    /// Runs doctor in namespaces of its own, after a script that has `$CONFIG` and `$STATE`.
    private func run(_ scratch: Scratch, in namespaces: [String], after script: String) async throws -> DoctorRun {
        try await DoctorRun.of(
            places(scratch),
            Program.environment.merging(["CONFIG": scratch.config, "STATE": scratch.state]) { $1 },
            prefix: ["unshare"] + namespaces + ["sh", "-e", "-c", "\(script)\nexec \"$0\" \"$@\""])
    }

    /// Namespaces in which this user may set the limits of inotify.
    private static let ofUser = ["--user", "--map-root-user"]
    private static let hasUserNamespaces: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["unshare"] + ofUser + ["sh", "-c", "echo 9 > /proc/sys/user/max_inotify_watches"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test("limits that are too low are warnings with their names and values", .enabled(if: hasUserNamespaces))
    func limits() async throws {
        let scratch = try Scratch()
        let found = try await run(
            scratch, in: Self.ofUser,
            after: """
                echo 100 > /proc/sys/user/max_inotify_watches
                echo 3 > /proc/sys/user/max_inotify_instances
                ulimit -n 512
                """)
        #expect(found.status == 0, "\(found)")
        #expect(found.line("inotify-watches")?.contains("user.max_inotify_watches: is 100 ") == true, "\(found)")
        #expect(found.line("inotify-instances")?.contains("user.max_inotify_instances: is 3 ") == true)
        #expect(found.line("descriptors")?.contains("512 open files") == true)
    }

    @Test("a daemon that has no inotify polls, and doctor says why", .enabled(if: hasUserNamespaces))
    func polling() async throws {
        let scratch = try Scratch()
        let daemon = try Program(
            "unshare",
            Self.ofUser + [
                "sh", "-c", "echo 0 > /proc/sys/user/max_inotify_instances && exec \"$0\" \"$@\"", Program.tminus,
                "run",
            ] + places(scratch))
        try await daemon.errors.first("the first definitions") { $0.contains("definitions in force") }
        let found = try await DoctorRun.of(["--state", scratch.state], until: "polling")
        #expect(found.line("polling")?.contains("max_inotify_instances") == true, "\(found)")
        daemon.send(SIGTERM)
        try await daemon.end()
    }

    @Test("a full disk, one with few inodes, and one in memory", .enabled(if: isRoot))
    func disks() async throws {
        let scratch = try Scratch()
        let full = try await run(
            scratch, in: ["--mount"], after: "mount -t tmpfs -o size=8m,nr_inodes=100,mode=700 none \"$STATE\"")
        #expect(full.status == 65)
        for code in ["error: disk-full", "warning: inodes-low", "warning: memory-file-system"] {
            #expect(full.all.contains(code), "\(full)")
        }
        let low = try await run(scratch, in: ["--mount"], after: "mount -t tmpfs -o size=100m,mode=700 none \"$STATE\"")
        #expect(low.status == 0 && low.all.contains("warning: disk-low"), "\(low)")
    }

    @Test(
        "a network file system that hangs is named and given up", .enabled(if: NetworkMount.isPossible),
        .timeLimit(.minutes(20)))
    func hangs() async throws {
        let scratch = try Scratch()
        let found = try await DoctorRun.of(
            places(scratch), Program.environment.merging(["STATE": scratch.state]) { $1 },
            prefix: NetworkMount.prefix)
        #expect(found.status == 65)
        #expect(found.codes == ["error: network-file-system", "error: no-answer"], "\(found)")
        #expect(found.line("network-file-system")?.contains("(fuse.sshfs)") == true)
        #expect(found.line("no-answer")?.contains(scratch.state) == true)
    }

    @Test("zone data that is old, of the future or not there, and a wrong zone of the machine")
    func zones() async throws {
        let scratch = try Scratch()
        let directory = "\(scratch.path)/zoneinfo"
        try FileManager.default.createDirectory(atPath: "\(directory)/Europe", withIntermediateDirectories: true)
        func doctor(_ variables: [String: String]) async throws -> DoctorRun {
            try await DoctorRun.of(places(scratch), Program.environment.merging(variables) { $1 })
        }
        let empty = try await doctor(["TZDIR": directory])
        #expect(empty.status == 65 && empty.codes.contains("error: zone-data-missing"), "\(empty)")
        try FileManager.default.copyItem(
            atPath: "/usr/share/zoneinfo/Europe/Berlin", toPath: "\(directory)/Europe/Berlin")
        for (version, code) in [("1999a", "warning: zone-data-old"), ("2999a", "error: clock-wrong")] {
            try Data("# version \(version)\nZ Europe/Berlin 1 - CET\n".utf8).write(
                to: URL(fileURLWithPath: "\(directory)/tzdata.zi"))
            let found = try await doctor(["TZDIR": directory])
            #expect(found.all.contains(code), "\(version): \(found)")
        }
        let wrong = try await doctor(["TZ": "Mars/Crater"])
        #expect(wrong.line("machine-zone")?.contains("TZ='Mars/Crater'") == true, "\(wrong)")
    }

    @Test("what is on the disk and not in force is found, if it stays so", .enabled(if: isRoot))
    func notInForce() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        // A mount that the daemon does not see.
        let found = try await run(
            scratch, in: ["--mount"],
            after: """
                mount -t tmpfs -o mode=700 none "$CONFIG"
                echo 'timers: { egg: { duration: 1h } }' > "$CONFIG/a.yaml"
                """)
        #expect(found.status == 65 && found.codes == ["error: not-in-force"], "\(found)")
        try await daemon.stop()
    }

    @Test("a sink that no machine may deliver to is found, until one has its label")
    func unplaced() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml",
            "timers: { tea: { duration: 1ms, on-expiry: [{ shell: 'echo >>ran', run-on: [backup] }] } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let found = try await DoctorRun.of(["--state", scratch.state], until: "unplaced-sink")
        #expect(
            found.status == 65 && found.line("unplaced-sink")?.contains("for a machine with the labels backup") == true,
            "\(found)")
        try await daemon.stop()
        #expect(scratch.lines("ran").isEmpty)
        let labelled = try RunningDaemon(in: scratch, ["--label", "backup"])
        try await scratch.lines(1, of: "ran")
        try await labelled.stop()
    }

    @Test("a directory that went, a store that went and a sink that went are found as the daemon says them")
    func gone() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1ms, on-expiry: [busy] } }\n")
        try scratch.save("b.yaml", "sinks: { busy: { shell: exit 75, retry: { first: 1h, max: 1h } } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await scratch.query("SELECT tries FROM delivery", yields: ["1"])
        try scratch.remove("a.yaml")
        try scratch.remove("b.yaml")
        let sink = try await DoctorRun.of(["--state", scratch.state], until: "missing-sink")
        #expect(sink.status == 65 && sink.line("missing-sink")?.contains("busy: 1 delivery waits") == true, "\(sink)")
        try FileManager.default.removeItem(atPath: scratch.config)
        let directory = try await DoctorRun.of(["--state", scratch.state], until: "directory-trouble")
        for code in ["error: directory-trouble", "error: no-config"] {
            #expect(directory.codes.contains(code), "\(directory)")
        }
        try FileManager.default.removeItem(atPath: "\(scratch.state)/tminus.sqlite")
        try FileManager.default.createDirectory(
            atPath: scratch.config, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try scratch.save("c.yaml", "timers: { egg: { duration: 1h } }\n")
        let store = try await DoctorRun.of(["--state", scratch.state], until: "store-trouble")
        #expect(store.line("store-trouble")?.contains("was removed or replaced") == true, "\(store)")
        try await daemon.kill()
    }

    @Test("rows that the daemon set aside are a warning")
    func damagedRows() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h }, egg: { duration: 1h } }\n")
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        // They are in force a moment before the store has them.
        try await scratch.query("SELECT count(*) FROM schedule", yields: ["2"])
        try await first.stop()
        try await scratch.change(
            "PRAGMA ignore_check_constraints = ON; UPDATE schedule SET occurrences = -1 WHERE definition = 'tea'")
        let second = try RunningDaemon(in: scratch)
        try await second.ready()
        // The definitions may be in force before the rows are counted.
        let found = try await DoctorRun.of(["--state", scratch.state], until: "damaged-rows")
        #expect(found.status == 0 && found.codes == ["warning: damaged-rows"], "\(found)")
        #expect(found.line("damaged-rows")?.contains(": 1 row cannot be read") == true)
        try await second.stop()
    }

    @Test("a program at the control socket that is no daemon is an error, and so is a store of a newer tminus")
    func silentAndNewer() async throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await daemon.stop()
        try await scratch.change("INSERT INTO grdb_migrations VALUES ('M999_Later')")
        try Data().write(to: URL(fileURLWithPath: "\(scratch.path)/file"))
        let found = try await DoctorRun.of(places(scratch) + ["--socket", "\(scratch.path)/file"])
        #expect(found.status == 65)
        #expect(found.codes == ["error: store-newer", "error: daemon-silent"], "\(found)")
    }

    @Test("a daemon of another version is a warning with both versions")
    func otherVersion() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await scratch.answers()
        let answer = try await SocketAnswer.send("GET", "/status", to: scratch)
        let version = try #require(answer.json["version"] as? String)
        try await daemon.stop()
        // In its place one that says the same of everything else.
        let other = try await AnsweringServer(
            at: "\(scratch.state)/control.sock",
            answer: answer.body.replacing("\"version\":\"\(version)\"", with: "\"version\":\"0.0.1\""))
        let found = try await DoctorRun.of(places(scratch))
        #expect(found.status == 0 && found.codes == ["warning: other-version"], "\(found)")
        #expect(found.line("other-version")?.hasSuffix(": is tminus 0.0.1, and this program is \(version)") == true)
        try await other.stop()
    }

    @Test("a store of an older tminus is a warning and is not changed; the next start brings it up to date")
    func olderStore() async throws {
        let scratch = try Scratch()
        let path = "\(scratch.state)/tminus.sqlite"
        try copyFile("\(Program.repository)/Tests/TminusSQLiteTests/Stores/schema-1.sqlite", to: path)
        let bytes = FileManager.default.contents(atPath: path)
        let older = try await DoctorRun.of(places(scratch))
        #expect(older.status == 0 && older.codes == ["warning: store-older", "warning: no-daemon"], "\(older)")
        #expect(older.line("store-older")?.contains("(schema 1 of ") == true)
        #expect(FileManager.default.contents(atPath: path) == bytes)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await daemon.stop()
        let current = try await DoctorRun.of(places(scratch))
        #expect(current.codes == ["warning: no-daemon"], "\(current)")
    }

    @Test("a copy that has the log of a store without its index is a warning, until a daemon has read the log")
    func uncheckedStore() async throws {
        let scratch = try Scratch()
        let other = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await scratch.query("SELECT count(*) FROM schedule", yields: ["1"])
        // One that ends on its own empties the log.
        try await daemon.kill()
        for name in ["tminus.sqlite", "tminus.sqlite-wal"] {
            try copyFile("\(scratch.state)/\(name)", to: "\(other.state)/\(name)")
        }
        let found = try await DoctorRun.of(places(other))
        #expect(found.status == 0 && found.codes == ["warning: store-unchecked", "warning: no-daemon"], "\(found)")
        let names = try FileManager.default.contentsOfDirectory(atPath: other.state).sorted()
        #expect(names == ["tminus.sqlite", "tminus.sqlite-wal"])
        let next = try RunningDaemon(in: other)
        try await next.ready()
        try await next.stop()
        let read = try await DoctorRun.of(places(other))
        #expect(read.codes == ["warning: no-daemon"], "\(read)")
    }

    /// Copies a file of a store, with the mode that a daemon gives it.
    private func copyFile(_ path: String, to place: String) throws {
        try FileManager.default.copyItem(atPath: path, toPath: place)
        try #require(chmod(place, 0o600) == 0)
    }
}
