import Foundation
import Glibc
import Testing

@Suite("Backup and restore")
struct BackupCommandTests {
    private func tminus(_ arguments: [String]) async throws -> (status: Int32, output: String, errors: String) {
        let program = try Program(Program.tminus, arguments)
        let status = try await program.end()
        return (status, program.output.texts.joined(separator: "\n"), program.errors.texts.joined(separator: "\n"))
    }

    private func places(_ scratch: Scratch) -> [String] { ["--config", scratch.config, "--state", scratch.state] }

    /// The ids of the deliveries that arrived.
    private func arrived(_ scratch: Scratch) -> [String] {
        scratch.lines("../out.ndjson").compactMap { line in
            line.firstMatch(of: /"id":"([0-9a-f]{32})"/).map { String($0.output.1) }
        }
    }

    @Test("what was due since the backup is recorded as restored and not sent; --catch-up sends it with the same id")
    func catchUp() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "t.yaml",
            "timers: { tea: { duration: 1h, grace: 1 week, on-expiry: [{ webhook-file: \(scratch.path)/out.ndjson }] } }\n"
        )
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        // The first definitions are in force before their schedules are stored.
        try await scratch.query("SELECT count(*) FROM schedule", yields: ["1"])
        try await first.stop()
        // The hour is over.
        let hour = "3601000000000"
        try await scratch.change(
            "UPDATE schedule SET start = start - \(hour), deadline = deadline - \(hour), cursor = cursor - \(hour)")
        let archive = "\(scratch.path)/b.tar"
        let backup = try await tminus(["backup", archive] + places(scratch))
        #expect(backup.status == 0, "\(backup.errors)")
        #expect(backup.output.contains(/^wrote .*b.tar: the store and 1 file, \d+ bytes$/))

        let second = try RunningDaemon(in: scratch)
        try await scratch.lines(1, of: "../out.ndjson")
        try await second.stop()

        let restore = try await tminus(["restore", archive] + places(scratch))
        #expect(restore.status == 0, "\(restore.errors)")
        #expect(restore.output.contains("what was due until now is not sent, because it may have been already"))
        let third = try RunningDaemon(in: scratch)
        try await scratch.query("SELECT definition, reason FROM omission", yields: ["tea|restored"])
        try await third.stop()
        #expect(arrived(scratch).count == 1)

        let again = try await tminus(["restore", archive, "--catch-up"] + places(scratch))
        #expect(again.status == 0, "\(again.errors)")
        let fourth = try RunningDaemon(in: scratch)
        try await scratch.lines(2, of: "../out.ndjson")
        try await fourth.stop()
        #expect(Set(arrived(scratch)).count == 1)
    }

    @Test("a backup is made while the daemon runs; a restore is refused until it is stopped")
    func running() async throws {
        let scratch = try Scratch()
        try scratch.save("t.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let archive = "\(scratch.path)/b.tar"
        #expect(try await tminus(["backup", archive] + places(scratch)).status == 0)
        let twice = try await tminus(["backup", archive] + places(scratch))
        #expect(twice.status == 74)
        #expect(twice.errors == "tminus: \(archive): is there already; give another name, or --force to replace it")
        #expect(try await tminus(["backup", archive, "--force"] + places(scratch)).status == 0)
        let refused = try await tminus(["restore", archive] + places(scratch))
        #expect(refused.status == 74)
        #expect(
            refused.errors
                == "tminus: a daemon (process id \(daemon.program.id)) runs on \(scratch.state); stop it, then restore")
        #expect(try await daemon.stop() == 0)
        #expect(try await tminus(["restore", archive] + places(scratch)).status == 0)
    }

    @Test("a backup without --config packs what the running daemon watches, and not another ./config")
    func otherDirectory() async throws {
        let scratch = try Scratch()
        try scratch.save("t.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let elsewhere = "\(scratch.path)/elsewhere"
        try FileManager.default.createDirectory(atPath: "\(elsewhere)/config", withIntermediateDirectories: true)
        try Data("timers: {}\n".utf8).write(to: URL(fileURLWithPath: "\(elsewhere)/config/other.yaml"))
        let backup = "'\(Program.tminus)' backup b.tar --state '\(scratch.state)'"
        let shell = try Program("/bin/sh", ["-c", "cd '\(elsewhere)' && \(backup) >/dev/null && tar -tf b.tar"])
        #expect(try await shell.end() == 0, "\(shell.errors.texts)")
        let names = shell.output.texts
        #expect(names.contains { $0.hasSuffix("/t.yaml") }, "\(names)")
        #expect(!names.contains { $0.hasSuffix("/other.yaml") }, "\(names)")
        try await daemon.stop()
    }

    @Test(
        "root restores into the service's directory, which is another user's, unless every user can write it",
        .enabled(if: geteuid() == 0, "needs to mount"),
        arguments: [
            ("/var/lib/tminus", "700", 0), ("/var/lib/tminus", "777", 77), ("/var/lib/tminus", "1777", 77),
            ("/var/lib/other", "700", 77),
        ] as [(String, String, Int32)])
    func service(directory: String, mode: String, status: Int32) async throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await daemon.stop()
        let archive = "\(scratch.path)/b.tar"
        #expect(try await tminus(["backup", archive] + places(scratch)).status == 0)
        // A /var/lib of its own, in a mount namespace; 99: the machine does not allow it.
        let script = """
            mount -t tmpfs -o mode=755 tmpfs /var/lib && mkdir "$3" && chown 65534:65534 "$3" && chmod "$4" "$3" || exit 99
            "$0" restore "$1" --config "$2" --no-config --state "$3"
            status=$?
            stat -c '%u %n' "$3"/*
            exit $status
            """
        let restore = try Program(
            "unshare", ["-m", "/bin/sh", "-c", script, Program.tminus, archive, scratch.config, directory, mode])
        let ended = try await restore.end()
        let (output, errors) = (restore.output.texts, restore.errors.texts)
        guard ended != 99, errors.first?.hasPrefix("unshare:") != true else { return }
        #expect(ended == status, "\(output) \(errors)")
        if status == 0 {
            #expect(output.suffix(2) == ["tminus.lock", "tminus.sqlite"].map { "65534 \(directory)/\($0)" })
        } else {
            let reason =
                directory.hasSuffix("other") ? "it belongs to another user" : "every user of this machine can write it"
            #expect(errors.first?.contains(reason) == true, "\(errors)")
        }
    }

    @Test("after an interrupted restore the daemon does not start and says how to go on")
    func interrupted() async throws {
        let scratch = try Scratch()
        try Data("{\"moves\":[]}".utf8).write(to: URL(fileURLWithPath: "\(scratch.state)/restore.json"))
        let daemon = try RunningDaemon(in: scratch)
        #expect(try await daemon.program.end() == 74)
        #expect(
            daemon.errors.texts.joined().contains(
                "a restore was interrupted; finish it with 'tminus restore --resume --state \(scratch.state)'"))
        let resumed = try await tminus(["restore", "--resume", "--state", scratch.state])
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(try await tminus(["restore", "--resume", "--state", scratch.state]).status == 64)
    }

    @Test("restore takes exactly one source")
    func usage() async throws {
        for words in [[], ["a.tar", "--resume"], ["a.tar", "--store", "b"]] {
            let refused = try await tminus(["restore"] + words)
            #expect(refused.status == 64)
            #expect(
                refused.errors.contains("give the archive of a backup, or --store with a copy of a store, or --resume"))
        }
    }
}
