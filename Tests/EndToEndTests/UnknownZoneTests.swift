import Testing

@Suite("A TZ that does not exist")
struct UnknownZoneTests {
    @Test("an unknown TZ is warned of at the start, in status, check and next, with the nearest name")
    func unknown() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "events: { e: { cron: 0 9 * * *, on-expiry: [] } }\n")
        let environment = Program.environment.merging(["TZ": "Europe/Berln"]) { $1 }
        let hint = "did you mean 'Europe/Berlin'?"
        let daemon = try RunningDaemon(in: scratch, environment: environment)
        try await daemon.errors.first("the warning") {
            $0.contains(" warning: the time zone of this machine is unknown") && $0.contains(hint)
        }
        try await daemon.ready()
        // The daemon's zone counts, not that of this command.
        let status = try Program(Program.tminus, ["status", "--state", scratch.state])
        #expect(try await status.end() == 0)
        #expect(
            status.output.texts.contains {
                $0.hasPrefix("problem") && $0.contains("TZ='Europe/Berln'") && $0.contains(hint)
            })
        #expect(try await daemon.stop() == 0)

        for arguments in [["check", scratch.config], ["next", scratch.config, "-n", "1"]] {
            let command = try Program(Program.tminus, arguments, environment: environment)
            #expect(try await command.end() == 0)
            #expect(command.errors.texts.contains { $0.hasPrefix("tminus: warning: using UTC") && $0.contains(hint) })
        }
    }
}
