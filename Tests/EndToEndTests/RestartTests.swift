import Glibc
import Testing

@Suite("Stopping and restarting")
struct RestartTests {
    @Test("a delivery interrupted by kill -9 is sent at the next start with the same id, and nothing else is")
    func killed() async throws {
        let scratch = try Scratch()
        // The first attempt hangs, for the daemon to be killed while it runs.
        try scratch.save(
            "t.yaml",
            """
            timers:
              done: { duration: 100ms, on-expiry: [{ webhook-file: done.ndjson }] }
              slow:
                duration: 200ms
                on-expiry:
                  - shell: |
                      echo "$TMINUS_DELIVERY" >>begun
                      if [ "$TMINUS_ATTEMPT" = 1 ]; then sleep 3600; exit 75; fi
                      echo "$TMINUS_DELIVERY" >>ended
                    timeout: 1h

            """)
        let first = try RunningDaemon(in: scratch)
        try await scratch.lines(1, of: "begun")
        try await scratch.query(
            """
            SELECT d.state FROM delivery d JOIN firing f ON f.id = d.firing ORDER BY f.definition
            """, yields: ["delivered", "claimed"])
        try await first.kill()

        let second = try RunningDaemon(in: scratch)
        let ended = try await scratch.lines(1, of: "ended")
        try await scratch.query("SELECT count(*) FROM delivery WHERE state = 'delivered'", yields: ["2"])
        #expect(try await second.stop() == 0)
        #expect(scratch.lines("begun") == [ended[0], ended[0]])
        #expect(scratch.lines("done.ndjson").count == 1)
    }

    @Test("what kill -9 leaves of a command is ended before the delivery is repeated: two copies never run at once")
    func leftover() async throws {
        let scratch = try Scratch()
        // The lock is held for as long as the shell or the process that it started lives: both have the descriptor, and both ignore TERM.
        try scratch.save(
            "t.yaml",
            """
            timers:
              slow:
                duration: 200ms
                on-expiry:
                  - shell: |
                      exec 9>lock
                      flock -n 9 || echo "$TMINUS_ATTEMPT" >>overlaps
                      if [ "$TMINUS_ATTEMPT" = 1 ]; then
                        trap '' TERM
                        sleep 600 &
                        echo "$TMINUS_DELIVERY" >>begun
                        wait
                      fi
                      echo "$TMINUS_DELIVERY" >>ended
                    kill-after: 1s
                    max-concurrent: 1

            """)
        let first = try RunningDaemon(in: scratch)
        let id = try await scratch.lines(1, of: "begun")[0]
        try await first.kill()

        let second = try RunningDaemon(in: scratch)
        try await second.errors.first("what was ended") {
            $0.contains("ended a command left over from the former process") && $0.contains("delivery.id=\(id)")
                && $0.contains("signal=KILL")
        }
        #expect(try await scratch.lines(1, of: "ended") == [id])
        #expect(scratch.lines("overlaps") == [])
        #expect(try await second.stop() == 0)

        let third = try RunningDaemon(in: scratch)
        try await third.ready()
        #expect(try await third.stop() == 0)
        #expect(!third.errors.texts.contains { $0.contains("left over") })
    }

    @Test("SIGTERM while a start waits for what is left of a command: nothing begins, and the next start repeats it")
    func stoppedWhileItWaits() async throws {
        let scratch = try Scratch()
        // The first attempt hangs, for KILL to end it.
        try scratch.save(
            "t.yaml",
            """
            timers:
              slow:
                duration: 200ms
                on-expiry:
                  - shell: |
                      trap '' TERM
                      echo "$TMINUS_ATTEMPT" >>begun
                      [ "$TMINUS_ATTEMPT" = 1 ] && sleep 600
                      echo "$TMINUS_ATTEMPT" >>ended
                    kill-after: 1h

            """)
        let first = try RunningDaemon(in: scratch)
        try await scratch.lines(1, of: "begun")
        try await first.kill()

        let second = try RunningDaemon(in: scratch)
        try await second.errors.first("the start") { $0.contains("tminus runs") }
        #expect(try await second.stop() == 0)
        #expect(scratch.lines("begun").count == 1)

        let third = try RunningDaemon(in: scratch)
        try await scratch.lines(1, of: "ended")
        #expect(try await third.stop() == 0)
        #expect(scratch.lines("begun").count == 2)
    }

    @Test("a delivery that ends the daemon three times is set aside, and all else goes on")
    func endsTheProcess() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "t.yaml",
            """
            timers:
              poison:
                duration: 100ms
                on-expiry: [{ shell: 'echo "$TMINUS_ATTEMPT" >>tried; kill -9 $PPID' }]
              good: { duration: 2s, on-expiry: [{ webhook-file: done.ndjson }] }

            """)
        for start in 1...3 {
            let daemon = try RunningDaemon(in: scratch)
            _ = try await daemon.program.end()
            #expect(scratch.lines("tried").count == start)
        }
        let last = try RunningDaemon(in: scratch)
        try await last.errors.first("what is set aside") {
            $0.contains("error")
                && $0.contains("a delivery is set aside: the process ended during each of its last three")
                && $0.contains("definition.id=poison")
        }
        try await last.ready()
        try await scratch.query(
            "SELECT state, reason FROM delivery WHERE definition = 'poison'",
            yields: ["dead|the process ended during each of its last three attempts"])
        try await scratch.lines(1, of: "done.ndjson")
        #expect(try await last.stop() == 0)
        #expect(scratch.lines("tried") == ["1", "2", "3"])
    }

    @Test("a second daemon on the same state is refused and told the first one's process id")
    func second() async throws {
        let scratch = try Scratch()
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        let second = try RunningDaemon(in: scratch)
        #expect(try await second.program.end() == 74)
        #expect(second.errors.texts.count == 1)
        #expect(second.errors.texts.first?.contains("process id \(first.program.id))") == true)
        #expect(try await first.stop() == 0)
    }

    @Test("SIGINT stops an idle daemon with status 0")
    func interrupt() async throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        daemon.program.send(SIGINT)
        #expect(try await daemon.program.end() == 0)
        #expect(daemon.output.texts.isEmpty)
    }

    @Test("SIGTERM lets a running command finish, and the next start does not repeat it")
    func terminate() async throws {
        let scratch = try Scratch()
        // Long enough for the signal to come while it runs.
        let hook = "echo begin >>log; sleep 1; echo end >>log"
        try scratch.save("t.yaml", "timers: { t: { duration: 100ms, on-expiry: [{ shell: '\(hook)' }] } }\n")
        let first = try RunningDaemon(in: scratch)
        try await scratch.lines(1, of: "log")
        #expect(try await first.stop() == 0)
        #expect(scratch.lines("log") == ["begin", "end"])
        #expect(try await scratch.query("SELECT state, attempt FROM delivery") == ["delivered|1"])

        let second = try RunningDaemon(in: scratch)
        try await second.ready()
        #expect(try await second.stop() == 0)
        #expect(scratch.lines("log") == ["begin", "end"])
    }

    @Test("after a kill, a file with an error starts with its last good content and the same deadlines")
    func brokenAtStart() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml", "timers: { hour: { duration: 1h }, tick: { duration: 2s, repeat: immediately } }\n")
        let first = try RunningDaemon(in: scratch)
        try await first.ready()
        try await scratch.query("SELECT path FROM kept_file", yields: ["a.yaml"])
        try await scratch.query("SELECT count(*) FROM schedule", yields: ["2"])
        let sql = "SELECT start, deadline, phase, removed FROM schedule WHERE definition = 'hour'"
        let grid = "SELECT DISTINCT deadline % 2000000000 FROM schedule WHERE definition = 'tick'"
        let (hour, tick) = (try await scratch.query(sql), try await scratch.query(grid))
        try scratch.save("a.yaml", "timers:\n  tick: { duratoin: 2s }\n")
        let message = "a.yaml:2:11: error: unknown key 'duratoin', did you mean 'duration'?"
        try await first.errors.first("the error") { $0.hasSuffix(message) }
        try await first.kill()

        let second = try RunningDaemon(in: scratch)
        try await second.errors.first("the error after the start") { $0.hasSuffix(message) }
        // The first expiry may have come due before the kill.
        try await second.output.lines(2, "expiries of tick") { $0.contains(" tick: ") }
        #expect(try await scratch.query(sql) == hour)
        #expect(try await scratch.query("SELECT DISTINCT occurrence % 2000000000 FROM firing") == tick)
        #expect(try await second.stop() == 0)

        // The corrected file takes effect.
        try scratch.save("a.yaml", "timers: { hour: { duration: 60m }, next: { duration: 1s } }\n")
        let third = try RunningDaemon(in: scratch)
        try await third.output.first("the expiry of next") { $0.contains(" next: ") }
        #expect(try await scratch.query(sql) == hour)
        #expect(try await third.stop() == 0)
    }

    @Test("SIGHUP re-reads the directory, including changes without a notification")
    func hangUp() async throws {
        let scratch = try Scratch()
        try scratch.save("t.yaml", "timers: { hour: { duration: 1h } }\n")
        let outside = "\(scratch.path)/outside.yaml"
        // inotify(7) reports only changes made through a name in the watched directory.
        try #require(link("\(scratch.config)/t.yaml", outside) == 0)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let writer = try Program("sh", ["-c", "echo 'timers: { t: { duration: 100ms } }' >\"$1\"", "sh", outside])
        #expect(try await writer.end() == 0)
        daemon.program.send(SIGHUP)
        try await daemon.errors.first("word of the signal") { $0.contains("reading the directory again") }
        try await daemon.output.first("the expiry of t") { $0.contains(" t: ") }
        #expect(try await daemon.stop() == 0)
    }

    @Test("over four random kills, none of 30 timers is lost or repeated with another id")
    func crashTest() async throws {
        let script = "\(Program.repository)/Tests/Crash/crash_test.py"
        let test = try Program(
            "python3",
            [script, Program.tminus, "--cycles", "4", "--timers", "30", "--stopped", "1", "--seed", "7"])
        let status = try await test.end()
        #expect(status == 0, "\(test.output.texts + test.errors.texts)")
    }
}
