import Testing

/// The live view of a daemon in a terminal.
@Suite(.enabled(if: Tmux.isInstalled, "needs tmux; scripts/setup installs it"))
struct WatchDaemonTests {
    private static let definitions = """
        timers:
          tea:
            name: Tea
            duration: 1h
          fitting:
            name: Fitting
            duration: 2h
            start: manual
        events:
          launch:
            name: Launch
            at: 2061-12-01 09:00
            timezone: UTC
        """

    private static func watch(_ scratch: Scratch, _ arguments: String = "") async throws -> Tmux {
        try await Tmux(columns: 80, rows: 24, "exec \(Program.tminus) watch --state \(scratch.state) \(arguments)")
    }

    @Test func keysReachTheDaemonAndChangesReachTheScreen() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.definitions)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let tmux = try await Self.watch(scratch)
        try await tmux.row(with: "Launch")
        try await tmux.row(with: "Upcoming (2)")
        // A control by key, and the daemon's answer.
        try await tmux.press("End")
        try await tmux.row(with: "> ○ Tea")
        try await tmux.press(("Space", shows: "tea: paused, "))
        try await tmux.screen("the pause") { rows in rows.contains { $0.hasPrefix("> ○ Tea") && $0.contains("paused") }
        }
        // A refused control shows its reason.
        try await tmux.press(("l", shows: "a timer has no laps"))
        // The key that moves up in other programs does nothing else; a skip asks first.
        try await tmux.press("k", "k", "k")
        try await tmux.row(with: "> ○ Launch")
        try await tmux.press(
            ("n", shows: "skip the next occurrence of Launch? y/n"), ("Enter", shows: "nothing was done"))
        try await tmux.press(("n", shows: "y yes  any other key no"), ("y", shows: "launch: upcoming"))
        try await scratch.query("SELECT count(*) FROM schedule WHERE overrides IS NOT NULL", yields: ["1"])
        // A new definition appears, and a removed one disappears.
        try scratch.save("b.yaml", "timers:\n  nap:\n    name: Nap\n    duration: 20m\n")
        try await tmux.row(with: " ○ Nap")
        try scratch.remove("b.yaml")
        try await tmux.screen("the end of it") { rows in rows.allSatisfy { !$0.contains("Nap") } }
        try await daemon.stop()
    }

    @Test func whatFailsIsMarkedAndNamedInWords() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.definitions)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let tmux = try await Self.watch(scratch)
        try await tmux.row(with: "Launch")
        try scratch.save("b.yaml", "timers: { backup: { duration: 1ms, on-expiry: [{ shell: exit 3 }] } }\n")
        try await tmux.screen("the dead delivery") { rows in
            rows.contains { $0.hasPrefix(" !○ backup") && $0.contains("expired, failing") }
        }
        try scratch.save("a.yaml", "timers: [")
        try await tmux.screen("the broken file") { $0.first?.contains("a.yaml:1:") == true }
        try scratch.save("a.yaml", Self.definitions)
        try await tmux.screen("no broken file") { $0.first?.contains("a.yaml") == false }
        let discard = try Program(
            Program.tminus, ["deliveries", "discard", "--definition", "backup", "--state", scratch.state])
        #expect(try await discard.end() == 0)
        try await tmux.screen("no mark") { rows in rows.contains { $0.hasPrefix("  ○ backup") } }
        try await daemon.stop()
    }

    @Test func viewReconnectsToARestartedDaemon() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.definitions)
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        let tmux = try await Self.watch(scratch, "tea")
        try await tmux.row(with: "state      running")
        try await tmux.press("Space")
        try await tmux.row(with: "state      paused")
        try await first.kill()
        try await tmux.screen("the trouble") { $0.first?.contains("daemon") == true }
        try await tmux.row(with: "state      paused")
        let second = try RunningDaemon(in: scratch)
        try await second.ready()
        try await tmux.screen("no trouble any more") { rows in rows.first?.contains("daemon") == false }
        try await tmux.press(("Space", shows: "tea: running, "))
        try await second.stop()
    }

    @Test func openingAndClosingTheViewStartsAndStopsNothing() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.definitions)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await scratch.query("SELECT count(*) FROM schedule", yields: ["3"])
        let sql = "SELECT definition, start, deadline, phase FROM schedule ORDER BY definition"
        let before = try await scratch.query(sql)
        #expect(before.contains("fitting|||idle"))
        for _ in 1...2 {
            let tmux = try await Self.watch(scratch, "tea")
            try await tmux.row(with: "state      running")
            try await tmux.press("q")
            try await tmux.screen("the end of the view") { rows in rows.allSatisfy { !$0.contains("state      ") } }
            #expect(try await scratch.query(sql) == before)
        }
        try await daemon.stop()
    }

    @Test func missingDaemonOrTerminalIsReported() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.definitions)
        let nobody = try Program(Program.tminus, ["watch", "--state", scratch.state])
        #expect(try await nobody.end() == 69)
        #expect(nobody.errors.texts.first?.hasPrefix("tminus: no daemon is running") == true)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let unknown = try Program(Program.tminus, ["watch", "--state", scratch.state, "teas"])
        #expect(try await unknown.end() == 65)
        #expect(unknown.errors.texts.first?.contains("tea") == true)
        let pipe = try Program(Program.tminus, ["watch", "--state", scratch.state])
        #expect(try await pipe.end() == 64)
        #expect(pipe.errors.texts.first?.contains("needs a terminal") == true)
        try await daemon.stop()
    }
}
