import Foundation
import Testing

/// `tminus import` as a process.
@Suite("Import")
struct ImportTests {
    private func tminus(_ arguments: [String]) async throws -> (status: CInt, output: [String], errors: [String]) {
        let environment = Program.environment.merging(["TZ": "UTC"]) { _, new in new }
        let program = try Program(Program.tminus, arguments, environment: environment)
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    @Test("a crontab becomes a file that check accepts and whose instants next shows")
    func importing() async throws {
        let scratch = try Scratch()
        let (crontab, file) = ("\(scratch.path)/crontab", "\(scratch.config)/cron.yaml")
        try "# Report\n30 9 * * mon-fri echo report\n@reboot echo up\nCRON_TZ=Asia/Tokyo\n@daily echo day\n"
            .write(toFile: crontab, atomically: true, encoding: .utf8)
        let imported = try await tminus(["import", "crontab", crontab, "--output", file])
        #expect(imported.status == 1 && imported.output == [])
        #expect(
            imported.errors == [
                "\(crontab):3: left out: @reboot is not a time; start the command with a unit of systemd",
                "tminus: 2 jobs imported, 1 line left out",
            ])
        let check = try await tminus(["check", scratch.config])
        #expect(check.status == 0, "\(check)")
        #expect(check.output == ["2 definitions in 1 file, 0 errors, 0 warnings"])
        let next = try await tminus(["next", file, "--from", "2026-11-27T12:00:00Z", "-n", "2", "--json"])
        let text = next.output.joined()
        for instant in ["2026-11-30T09:30:00", "2026-12-01T09:30:00", "2026-11-28T00:00:00", "2026-11-29T00:00:00"] {
            #expect(text.contains(instant), "\(text)")
        }

        // The same text goes to standard output; a file is never overwritten.
        let printed = try await tminus(["import", "crontab", crontab])
        #expect(printed.output.joined(separator: "\n") + "\n" == (try String(contentsOfFile: file, encoding: .utf8)))
        let again = try await tminus(["import", "crontab", crontab, "--output", file])
        #expect(again.status == 74)
        #expect(again.errors == ["tminus: \(file): is there already; nothing was overwritten"])
        #expect(try await tminus(["import", "crontab", "\(scratch.path)/none"]).status == 74)
        #expect(try await tminus(["import", "crontab", crontab, "--user", "no such user"]).status == 64)
    }

    @Test("a file that the daemon would refuse for its size is named, with the option that accepts it")
    func large() async throws {
        let scratch = try Scratch()
        let (crontab, file) = ("\(scratch.path)/crontab", "\(scratch.config)/cron.yaml")
        let command = "true " + String(repeating: "x", count: 61_600)
        try (0..<17).map { "\($0) 1 * * * \(command)\n" }.joined()
            .write(toFile: crontab, atomically: true, encoding: .utf8)
        let imported = try await tminus(["import", "crontab", crontab, "--output", file])
        #expect(imported.status == 0)
        let size = try Data(contentsOf: URL(filePath: file)).count
        #expect(
            imported.errors == [
                "tminus: 17 jobs imported",
                """
                tminus: warning: the file has \(size) bytes, and 1048576 are read; start the daemon with --max-file-size \
                \(size), or import the crontab in parts
                """,
            ])
        #expect(try await tminus(["check", scratch.config]).status == 65)
        #expect(try await tminus(["check", "--max-file-size", "\(size)", scratch.config]).status == 0)
    }

    @Test("a crontab may come from a pipe that has a name")
    func pipe() async throws {
        for words in ["import crontab /dev/stdin", "import crontab <(printf '30 9 * * 1 echo a\\n')"] {
            let line = "printf '30 9 * * 1 echo a\\n' | '\(Program.tminus)' \(words)"
            let environment = Program.environment.merging(["TZ": "UTC"]) { _, new in new }
            let program = try Program("bash", ["-c", line], environment: environment)
            #expect(try await program.end() == 0, "\(program.errors.texts)")
            #expect(program.errors.texts == ["tminus: 1 job imported"])
        }
    }

    @Test("an imported command finds an empty standard input and its variables")
    func running() async throws {
        let scratch = try Scratch()
        let crontab = "\(scratch.path)/crontab"
        let out = "\(scratch.config)/out"
        try
            "HOME=\(scratch.config)\nROOM=7 a\n@yearly cat >\(out).new; pwd >>\(out).new; echo \"$ROOM\" >>\(out).new; mv \(out).new \(out)\n"
            .write(toFile: crontab, atomically: true, encoding: .utf8)
        let imported = try await tminus(["import", "crontab", crontab, "-o", "\(scratch.config)/cron.yaml"])
        #expect(imported.status == 0, "\(imported)")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        #expect(try await tminus(["fire", "cat", "--state", scratch.state]).status == 0)
        #expect(try await scratch.lines(2, of: "out") == [scratch.config, "7 a"])
        #expect(try await daemon.stop() == 0)
    }
}
