import Foundation
import Glibc
import Testing
import TminusTestKit

@Suite("Doctor")
struct DoctorTests {
    private func places(_ scratch: Scratch) -> [String] { ["--config", scratch.config, "--state", scratch.state] }

    @Test("before the first start only the daemon is missing, which is no error; nothing is made")
    func fresh() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let result = try await DoctorRun.of(places(scratch))
        #expect(result.status == 0 && result.codes == ["warning: no-daemon"], "\(result)")
        #expect(result.errors.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.state).isEmpty)
        var bare = Program.environment
        for name in ["STATE_DIRECTORY", "RUNTIME_DIRECTORY", "TMINUS_STATE", "TMINUS_SOCKET"] { bare[name] = nil }
        bare["HOME"] = scratch.path
        let none = try await DoctorRun.of(["--state", scratch.state], bare, prefix: ["env", "-C", scratch.state])
        #expect(none.status == 0 && none.codes.contains("warning: no-daemon"), "\(none)")
    }

    @Test(
        "with a daemon that is well there is nothing to report, and its places are found by its state directory alone")
    func well() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await scratch.answers()
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.state).sorted()
        let result = try await DoctorRun.of(["--state", scratch.state])
        #expect(result.status == 0 && result.codes == [], "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.state).sorted() == files)
        // A change is found in force, although the daemon reads it a moment later.
        try scratch.save("a.yaml", "timers: { tea: { duration: 2h } }\n")
        let edited = try await DoctorRun.of(["--state", scratch.state])
        #expect(edited.status == 0 && edited.codes == [], "\(edited)")
        try await daemon.stop()
    }

    @Test(
        "others that can write, a broken file, a missing program and a zone that is not there: status 65 and what to type"
    )
    func errors() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duratoin: 1h } }\n")
        try scratch.save("b.yaml", "sinks: { s: { exec: [./gone.sh] } }\n")
        try scratch.save("c.yaml", "events: { e: { at: 2030-01-01 09:00, timezone: Mars/Crater } }\n")
        try #require(chmod("\(scratch.config)/b.yaml", 0o646) == 0)
        let result = try await DoctorRun.of(places(scratch))
        #expect(result.status == 65)
        #expect(
            result.codes == [
                "error: unknown-zone", "error: others-can-write", "error: file-broken", "error: file-broken",
                "warning: no-daemon", "warning: sink-need",
            ], "\(result)")
        let place = try #require(result.output.firstIndex { $0.contains(": others-can-write: ") })
        #expect(result.output[place + 1] == "    chmod o-w \(scratch.config)/b.yaml")
        #expect(result.line("sink-need")?.contains("b.yaml:1: there is no program") == true)
        #expect(result.output.last?.hasPrefix("4 errors, ") == true)
        // Where the daemon is known, what is missing is an error.
        try #require(chmod("\(scratch.config)/b.yaml", 0o600) == 0)
        for name in ["a.yaml", "c.yaml"] { try scratch.remove(name) }
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        #expect((try await DoctorRun.of(places(scratch))).codes == ["error: sink-need"])
        try await daemon.stop()
    }

    @Test(
        "directories that a unit keeps from the daemon are found, though they are fine outside of it",
        .enabled(if: geteuid() == 0, "needs to mount"))
    func unit() async throws {
        let scratch = try Scratch()
        let (closed, own) = ("\(scratch.path)/closed", "\(scratch.path)/own")
        for path in [closed, own, "\(scratch.path)/systemd-private-1"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        try scratch.save(
            "a.yaml", "sinks:\n  a: { webhook-file: \(closed)/out }\n  b: { webhook-file: { directory: \(own) } }\n")
        // As ProtectSystem= and PrivateTmp= do it. 99: the machine does not allow it.
        let script = """
            cd "$3" && mount --bind closed closed && mount -o remount,bind,ro closed && mount --bind systemd-private-1 own || exit 99
            exec "$0" run --config "$1" --state "$2"
            """
        let daemon = try Program(
            "unshare",
            ["-m", "/bin/sh", "-c", script, Program.tminus, scratch.config, scratch.state, scratch.path])
        let line = try? await daemon.errors.first("the warning") {
            $0.contains("cannot be written: Read-only file system")
        }
        guard line != nil else {
            #expect([1, 99].contains(try await daemon.end()), "\(daemon.errors.texts)")
            return
        }
        try await scratch.answers()
        let result = try await DoctorRun.of(["--state", scratch.state])
        #expect(result.status == 65 && result.codes == ["error: sink-need", "error: sink-need"], "\(result)")
        let found = result.output.filter { $0.contains(": sink-need: ") }
        #expect(found.first?.contains("a.yaml:2: the directory '\(closed)' cannot be written") == true, "\(found)")
        #expect(found.last?.contains("a.yaml:3: no other program sees what is written to '\(own)'") == true, "\(found)")
        let status = try Program(Program.tminus, ["status", "--state", scratch.state])
        #expect(try await status.end() == 0)
        #expect(status.output.texts.contains { $0.hasPrefix("  warning: a.yaml:2:") && $0.contains("ReadWritePaths=") })
        daemon.send(SIGTERM)
        #expect(try await daemon.end() == 0)
    }

    @Test("what is dead or waits, and its unit and profile, are found")
    func daemon() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml",
            """
            sinks: { no: { shell: exit 3 } }
            timers: { tea: { duration: 1ms, on-expiry: [no] } }
            """)
        let receiver = try NotifyReceiver(in: scratch)
        // The service manager says which process is the service.
        func start(_ variables: [String: String]) throws -> Program {
            try Program(
                "sh",
                [
                    "-c", "SYSTEMD_EXEC_PID=$$ exec \"$0\" run --config \"$1\" --state \"$2\"", Program.tminus,
                    scratch.config, scratch.state,
                ], environment: Program.environment.merging(variables) { $1 })
        }
        let bare = try start(["TMINUS_PROFILE": "strict"])
        try await bare.errors.first("the first definitions") { $0.contains("definitions in force") }
        try await scratch.query("SELECT state FROM delivery", yields: ["dead"])
        let first = try await DoctorRun.of(["--state", scratch.state])
        #expect(first.status == 65)
        #expect(first.codes == ["error: dead-letters", "warning: unit-type", "warning: strict-profile"], "\(first)")
        #expect(first.line("strict-profile")?.hasSuffix(": no") == true)
        bare.send(SIGTERM)
        try await bare.end()
        let notify = try start(["NOTIFY_SOCKET": receiver.path])
        try await notify.errors.first("the first definitions") { $0.contains("definitions in force") }
        let second = try await DoctorRun.of(["--state", scratch.state])
        #expect(second.codes == ["error: dead-letters", "warning: no-watchdog"], "\(second)")
        notify.send(SIGTERM)
        try await notify.end()
    }

    @Test("a damaged store and a pipe in its place are errors, with and without a state directory of one's own")
    func store() async throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await daemon.stop()
        let path = "\(scratch.state)/tminus.sqlite"
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: [UInt8](repeating: 0xAA, count: Int(size) - 4_096))
        try file.close()
        let damaged = try await DoctorRun.of(places(scratch))
        #expect(damaged.status == 65 && damaged.codes == ["error: store-damaged", "warning: no-daemon"], "\(damaged)")
        let pipe = "\(scratch.path)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let refused = try await DoctorRun.of(places(scratch) + ["--store", pipe])
        #expect(refused.status == 65 && refused.codes == ["error: store-refused", "warning: no-daemon"], "\(refused)")
    }

    @Test("an empty store is named as such: by doctor, by store check, by a reader, and in the log of the next start")
    func emptyStore() async throws {
        let scratch = try Scratch()
        let path = "\(scratch.state)/tminus.sqlite"
        try Data().write(to: URL(fileURLWithPath: path))
        try #require(chmod(path, 0o600) == 0)
        let empty = try await DoctorRun.of(places(scratch))
        #expect(empty.codes == ["warning: store-empty", "warning: no-daemon"], "\(empty)")
        let check = try Program(Program.tminus, ["store", "check", path])
        #expect(try await check.end() == 0)
        #expect(check.output.texts[1] == "state  empty")
        let backup = try Program(Program.tminus, ["backup", "\(scratch.path)/b.tar"] + places(scratch))
        #expect(try await backup.end() == 74)
        #expect(backup.errors.texts.first?.hasPrefix("tminus: \(path): is empty: ") == true)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await daemon.stop()
        #expect(
            daemon.errors.texts.contains { $0.contains("the store is empty: its state was lost, or never written") })
    }

    @Test("another user sees that the daemon and its files are not theirs", .enabled(if: geteuid() == 0))
    func otherUser() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "sinks: { out: { webhook-file: \(scratch.path)/out.ndjson } }\n")
        for path in [scratch.path, scratch.config, scratch.state] { try #require(chmod(path, 0o755) == 0) }
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let copy = "\(scratch.path)/tminus"
        try Script.copy(Program.tminus, to: copy)
        let nobody = try Program(
            "setpriv",
            ["--reuid", "65534", "--regid", "65534", "--clear-groups", "--", copy, "doctor"] + places(scratch))
        let status = try await nobody.end()
        let result = DoctorRun(status: status, output: nobody.output.texts, errors: nobody.errors.texts)
        #expect(status == 65 && result.errors.isEmpty, "\(result)")
        // By the daemon's user, not by this one.
        #expect(result.line("other-owner") == nil)
        #expect(result.line("daemon-of-other")?.hasPrefix("warning: ") == true, "\(result)")
        #expect(result.line("store-refused")?.hasPrefix("error: ") == true, "\(result)")
        #expect(result.line("sink-need")?.contains("cannot be written: Permission denied") == true, "\(result)")
        try await daemon.stop()
    }

    @Test("names of files cannot steer the terminal; the output is bounded and valid JSON")
    func hostile() async throws {
        let scratch = try Scratch()
        for number in 0..<30 {
            try scratch.save("\u{1B}[2J\u{202E}\(number) '\".yaml", "timers: { tea: { duratoin: 1h } }\n")
        }
        let text = try await DoctorRun.of(places(scratch))
        #expect(text.status == 65 && text.errors.isEmpty)
        #expect(text.output.count { $0.hasPrefix("error: file-broken: ") } == 21, "\(text)")
        #expect(text.output.contains("error: file-broken: and 10 more"))
        #expect(!text.output.joined().contains("\u{1B}") && !text.output.joined().contains("\u{202E}"))
        let json = try await DoctorRun.of(places(scratch) + ["--json"])
        #expect(json.status == 65)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.joined().utf8)) as? [String: Any])
        let findings = try #require(object["findings"] as? [[String: String]])
        #expect(findings.count { $0["code"] == "file-broken" } == 20)
        #expect(findings.allSatisfy { Set($0.keys) == ["severity", "code", "subject", "message", "fix"] })
        let more = try #require((object["left-out"] as? [[String: Any]])?.first)
        #expect(more["code"] as? String == "file-broken" && more["count"] as? Int == 10)
    }

    @Test("wrong options are refused")
    func usage() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "{}\n")
        for words in [
            ["--state", ""], ["--config", "\(scratch.config)/a.yaml"], ["--store", "mysql://x"], ["extra"],
        ] {
            #expect(try await DoctorRun.of(words).status == 64, "\(words)")
        }
    }
}
