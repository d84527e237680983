import Foundation
import Glibc
import Testing

/// The real program on a notify socket that the test makes in the place of systemd.
@Suite("Service manager")
struct ServiceManagerTests {
    private let scratch: Scratch
    private let manager: NotifyReceiver
    private static let ready = "READY=1\nSTATUS=generation 1, 1 definition, all in force"

    init() throws {
        scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h, start: manual } }\n")
        manager = try NotifyReceiver(in: scratch)
    }

    private func tminus(_ arguments: String...) async throws -> CInt {
        try await Program(Program.tminus, arguments + ["--state", scratch.state]).end()
    }

    /// The monotonic clock in microseconds.
    private var monotonic: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    @Test("READY comes when the definitions are in force and commands are answered, and STOPPING at the end")
    func ready() async throws {
        let daemon = try RunningDaemon(in: scratch, environment: manager.environment())
        #expect(try await manager.texts(1) == [Self.ready])
        // A single request, without waiting: after READY the daemon must answer.
        #expect(try await tminus("show", "tea") == 0)
        #expect(try await daemon.stop() == 0)
        #expect(try await manager.texts(2).last == "STOPPING=1\nSTATUS=stopping; running deliveries get half a minute")
        #expect(manager.pings.isEmpty, "nobody asked for a watchdog")
    }

    @Test("without a socket in the environment nothing is told, and an unusable one stops nothing")
    func unusable() async throws {
        let daemon = try RunningDaemon(
            in: scratch, environment: manager.environment(["NOTIFY_SOCKET": "vsock:2:1", "WATCHDOG_USEC": "1000"]))
        try await daemon.ready()
        try await daemon.errors.first("the reason") { $0.contains("the service manager cannot be notified") }
        #expect(try await daemon.stop() == 0)
        #expect(manager.all.isEmpty)
    }

    @Test("a reload by signal or command is RELOADING with the monotonic time, then READY with the new status")
    func reload() async throws {
        let daemon = try RunningDaemon(in: scratch, environment: manager.environment())
        try await manager.datagram(Self.ready)
        let before = monotonic
        daemon.program.send(SIGHUP)
        let told = try await manager.texts(3)
        #expect(told[1].hasPrefix("RELOADING=1\nMONOTONIC_USEC=") && told[2] == Self.ready, "\(told)")
        let time = try #require(manager.all[1].value("MONOTONIC_USEC").flatMap { Int64($0) })
        #expect((before...monotonic).contains(time))
        try scratch.save("b.yaml", "stopwatches: { run: {} }\n")
        #expect(try await tminus("reload", "--wait") == 0)
        let new = "READY=1\nSTATUS=generation 2, 2 definitions, all in force"
        try await manager.datagram(new)
        let texts = manager.texts
        let reloading = try #require(texts.lastIndex { $0.hasPrefix("RELOADING=1\n") })
        #expect(reloading > 2 && texts.last == new, "\(texts)")
        try await daemon.stop()
    }

    @Test("an edit that breaks a file changes the status at once")
    func status() async throws {
        let daemon = try RunningDaemon(in: scratch, environment: manager.environment())
        try await manager.datagram(Self.ready)
        try scratch.save("b.yaml", "timers: { wrong: { duratoin: 1h } }\n")
        let texts = try await manager.texts(2)
        #expect(
            texts[1].hasPrefix("STATUS=generation 1, 1 definition, not everything in the directory is in force"),
            "\(texts)")
        try await daemon.stop()
    }

    @Test("a service manager that is gone is logged once, and nothing else changes")
    func gone() async throws {
        let daemon = try RunningDaemon(in: scratch, environment: manager.environment(["WATCHDOG_USEC": "200000"]))
        try await manager.datagram(Self.ready)
        try await manager.pings(1)
        manager.leave()
        try scratch.save("b.yaml", "stopwatches: { run: {} }\n")
        #expect(try await tminus("reload", "--wait") == 0)
        #expect(try await tminus("reload", "--wait") == 0)
        #expect(try await tminus("start", "run") == 0)
        try await daemon.errors.first("the warning") { $0.contains("the service manager cannot be notified") }
        #expect(try await daemon.stop() == 0)
        #expect(daemon.errors.texts.filter { $0.contains("the service manager cannot be notified") }.count == 1)
    }

    @Test("hooks do not see the variables of the service manager")
    func hooks() async throws {
        try scratch.save(
            "b.yaml", "timers: { now: { duration: 1ms, on-expiry: [{ shell: 'env >seen; echo >>done' }] } }\n")
        let daemon = try RunningDaemon(
            in: scratch,
            environment: manager.environment([
                "WATCHDOG_USEC": "120000000", "LISTEN_FDS": "1", "LISTEN_PID": "1", "LISTEN_FDNAMES": "web",
                "JOURNAL_STREAM": "1:1", "TMINUS_PROFILE": "strict",
            ]))
        try await scratch.lines(1, of: "done")
        let names = scratch.lines("seen").map { $0.prefix { $0 != "=" } }
        #expect(names.contains("PATH"))
        let own = names.filter { name in
            ["NOTIFY", "WATCHDOG", "LISTEN", "JOURNAL"].contains { name.hasPrefix("\($0)_") }
        }
        #expect(own.isEmpty, "\(own)")
        try await daemon.stop()
    }

    @Test("the watchdog is fed while the engine runs")
    func watchdog() async throws {
        let daemon = try RunningDaemon(in: scratch, environment: manager.environment(["WATCHDOG_USEC": "200000"]))
        try await manager.pings(3)
        try await daemon.stop()
    }

    @Test("a watchdog of another process is not fed")
    func otherProcess() async throws {
        let daemon = try RunningDaemon(
            in: scratch, environment: manager.environment(["WATCHDOG_USEC": "20000", "WATCHDOG_PID": "1"]))
        try await manager.datagram(Self.ready)
        #expect(try await tminus("reload", "--wait") == 0)
        #expect(try await daemon.stop() == 0)
        #expect(manager.pings.isEmpty)
    }

    @Test("while another program locks the store the watchdog is not fed, afterwards it is again")
    func lockedStore() async throws {
        let daemon = try RunningDaemon(in: scratch, environment: manager.environment(["WATCHDOG_USEC": "400000"]))
        try await manager.datagram(Self.ready)
        try await manager.pings(2)
        let holder = try Program("python3", ["-c", Self.holder, "\(scratch.state)/tminus.sqlite"])
        try await holder.output.first("the lock") { $0 == "held" }
        // It waits for the commit, which waits 5 s for the lock, and fails.
        #expect(try await tminus("start", "tea") == 74)
        try await manager.pings(manager.pings.count + 3)
        let pings = manager.pings
        let longest = zip(pings, pings.dropFirst()).map { $0.duration(to: $1) }.max()
        // Far longer than the limit of 0.4 s, at which the service manager would have ended the daemon.
        #expect(try #require(longest) > .seconds(3))
        holder.send(SIGKILL)
        try await holder.end()
        #expect(try await tminus("start", "tea") == 0)
        try await daemon.stop()
    }

    private static let holder = """
        import sqlite3, sys, time
        store = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=600)
        store.execute("BEGIN IMMEDIATE")
        print("held", flush=True)
        # Holds the lock until it is killed.
        time.sleep(3600)
        """
}
