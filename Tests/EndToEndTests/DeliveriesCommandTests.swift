import Foundation
import Glibc
import Testing

/// The refusals of `tminus deliveries`, mute and snooze.
@Suite("Refusals of a daemon")
struct DeliveriesCommandTests {
    private typealias Result = (status: CInt, output: [String], errors: [String])

    private func tminus(_ arguments: [String]) async throws -> Result {
        let program = try Program(Program.tminus, arguments)
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    /// Repeats a command until its result is as wanted, or the time limit ends.
    private func eventually(_ arguments: [String], _ isWanted: (Result) -> Bool) async throws -> Result {
        let deadline = ContinuousClock.now + Waiting.limit
        var result = try await tminus(arguments)
        while !isWanted(result), ContinuousClock.now < deadline { result = try await tminus(arguments) }
        return result
    }

    private struct Listed: Decodable {
        var id: String
    }

    @Test("a delivered delivery cannot be retried, and the message says what can; the first digits of an id are enough")
    func retryOfDelivered() async throws {
        let scratch = try Scratch()
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let place = ["--state", scratch.state]
        let made = try await eventually(["timer", "10ms", "--name", "one", "--then", "true"] + place) { $0.status == 0 }
        #expect(made.status == 0, "\(made.errors)")
        let all = ["deliveries", "--only", "delivered", "--json"] + place
        let listed = try await eventually(all) { $0.output.joined().contains("\"id\"") }
        let found = try JSONDecoder().decode([Listed].self, from: Data(listed.output.joined().utf8))
        let id = try #require(found.first?.id)
        let reason =
            "tminus: \(id) is delivered: only deliveries that wait for a retry, or are dead, expired or discarded, can be retried"
        #expect(try await tminus(["deliveries", "retry", id] + place) == (65, [], [reason]))
        let short = try await tminus(["deliveries"] + place)
        #expect(short.output.map { $0.suffix(10) } == ["  \(id.prefix(8))"], "lists show 8 digits of an id")
        for digits in [id.prefix(6), id.prefix(8), id.prefix(31)] {
            #expect(try await tminus(["deliveries", "retry", String(digits)] + place) == (65, [], [reason]))
        }
        let shown = try await tminus(["deliveries", "--delivery", id.prefix(6).uppercased()] + place)
        #expect(shown.status == 0 && shown.output.first?.hasSuffix("  \(id)") == true, "\(shown)")
        try await daemon.stop()
    }

    @Test("discard ends a retry, a running command, and all that waits for a sink")
    func discard() async throws {
        let scratch = try Scratch()
        // The slow command hangs, for the discard to end it.
        try scratch.save(
            "a.yaml",
            """
            sinks:
              busy: { shell: exit 75, retry: { first: 1h, max: 1h } }
              slow: { shell: "echo $$ >> started; sleep 3600", timeout: 1h }
            timers:
              again: { duration: 1ms, on-expiry: [busy] }
              long: { duration: 1ms, on-expiry: [slow] }
            """)
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let place = ["--state", scratch.state]
        try await scratch.query("SELECT reason FROM delivery WHERE sink = 'busy'", yields: ["exit status 75"])
        let id = try #require(try await scratch.query("SELECT id FROM delivery WHERE sink = 'busy'").first)
        #expect(try await tminus(["deliveries", "discard", id] + place) == (0, ["discarded: 1"], []))
        let history = try await tminus(["history", "again"] + place)
        #expect(
            history.output.first?.hasSuffix("failed, because discarded after: exit status 75") == true, "\(history)")

        let process = try #require(Int32(try await scratch.lines(1, of: "started")[0]))
        #expect(try await tminus(["deliveries", "discard", "--sink", "slow"] + place) == (0, ["discarded: 1"], []))
        let deadline = ContinuousClock.now + Waiting.limit
        // The end of another process, which tells nobody.
        while kill(process, 0) == 0, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        #expect(kill(process, 0) == -1, "the command still runs")
        #expect(try await scratch.query("SELECT state FROM delivery") == ["discarded", "discarded"])
        #expect(try await tminus(["deliveries", "discard"] + place).status == 64)
        try await daemon.stop()
    }

    @Test("retry --sink tries all again that are dead or wait for a retry, and nothing of another sink")
    func retryAll() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "a.yaml",
            """
            sinks:
              mended: { shell: "test -e ready || exit $(cat status)", retry: { first: 1h, max: 1h } }
              other: { shell: exit 3 }
            timers:
              a: { duration: 1ms, on-expiry: [mended, other] }
              b: { start: manual, duration: 1ms, on-expiry: [mended] }
            """)
        try Data("3\n".utf8).write(to: URL(fileURLWithPath: "\(scratch.config)/status"))
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let place = ["--state", scratch.state]
        let states = "SELECT sink, state, tries FROM delivery ORDER BY number"
        try await scratch.query(states, yields: ["mended|dead|1", "other|dead|1"])
        try Data("75\n".utf8).write(to: URL(fileURLWithPath: "\(scratch.config)/status"))
        _ = try await tminus(["start", "b"] + place)
        try await scratch.query(states, yields: ["mended|dead|1", "other|dead|1", "mended|pending|1"])
        try Data().write(to: URL(fileURLWithPath: "\(scratch.config)/ready"))
        let result = try await tminus(["deliveries", "retry", "--sink", "mended"] + place)
        #expect(result == (0, ["queued for retry: 2"], []))
        try await scratch.query(
            "SELECT sink, state FROM delivery ORDER BY number",
            yields: ["mended|delivered", "other|dead", "mended|delivered"])
        let none = try await tminus(["deliveries", "retry", "--sink", "mended", "--json"] + place)
        #expect(none == (0, [#"{"count":0}"#], []))
        #expect(try await tminus(["deliveries", "retry"] + place).status == 64)
        try await daemon.stop()
    }

    /// A daemon with a delivery that waits for its sink: `busy`, which is not in the files any more.
    private func waitingForSink(_ scratch: Scratch) async throws -> RunningDaemon {
        try scratch.save("a.yaml", "timers: { tea: { duration: 1ms, on-expiry: [busy] } }\n")
        let sink = "shell: 'echo >>tried; exit 75', retry: { first: 100ms, max: 100ms }"
        try scratch.save("b.yaml", "sinks: { busy: { \(sink) } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await scratch.lines(2, of: "tried")
        try scratch.save("a.yaml", "timers: { soup: { duration: 1h } }\n")
        try scratch.save("b.yaml", "sinks: {}\n")
        let listed = try await eventually(["deliveries", "--state", scratch.state]) {
            $0.output.first?.contains("to busy: waiting for sink") == true
        }
        #expect(listed.output.first?.contains("to busy: waiting for sink") == true, "\(listed)")
        return daemon
    }

    @Test("a delivery to a sink that disappeared waits for it, over a restart too, and goes to the one declared again")
    func waitsForSink() async throws {
        let scratch = try Scratch()
        let first = try await waitingForSink(scratch)
        let json = try await tminus(["deliveries", "--json", "--state", scratch.state])
        #expect(json.output.joined().contains(#""waits-for-sink":true"#))
        try await first.stop()
        let tried = scratch.lines("tried").count
        let second = try RunningDaemon(in: scratch)
        try await second.ready()
        // A countdown to another sink ends meanwhile.
        let place = ["--state", scratch.state]
        _ = try await tminus(["timer", "500ms", "--name", "other", "--then", "true"] + place)
        try await scratch.query("SELECT state FROM delivery WHERE definition = 'other'", yields: ["delivered"])
        let listed = try await tminus(["deliveries", "--id", "tea"] + place)
        #expect(listed.output.first?.contains("to busy: waiting for sink") == true, "\(listed)")
        #expect(scratch.lines("tried").count == tried)
        try scratch.save("b.yaml", "sinks: { busy: { shell: 'echo >>sent' } }\n")
        try await scratch.lines(1, of: "sent")
        try await scratch.query("SELECT state FROM delivery WHERE definition = 'tea'", yields: ["delivered"])
        try await second.stop()
        #expect(scratch.lines("tried").count == tried)
    }

    @Test("a delivery to a sink that disappeared a day ago is dead, with that reason")
    func sinkIsGone() async throws {
        let scratch = try Scratch()
        try await waitingForSink(scratch).stop()
        // Pretend that it was removed a day ago.
        try await scratch.change("UPDATE sink SET retired = retired - 86401 * 1000000000 WHERE name = 'busy'")
        let tried = scratch.lines("tried").count
        let daemon = try RunningDaemon(in: scratch)
        let reason = "the sink 'busy' is not in the files any more"
        try await scratch.query("SELECT state, reason FROM delivery", yields: ["dead|\(reason)"])
        try await daemon.ready()
        let history = try await tminus(["history", "tea", "--state", scratch.state])
        #expect(history.output.first?.hasSuffix("failed, because \(reason)") == true, "\(history)")
        #expect(scratch.lines("tried").count == tried)
        try await daemon.stop()
    }

    @Test("unknown deliveries and definitions are refused, quoted as typed")
    func unknown() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let place = ["--state", scratch.state]
        _ = try await eventually(["status"] + place) { $0.status == 0 }
        let id = String(repeating: "0", count: 32)
        let absent = "tminus: there is no delivery '\(id)'; 'tminus deliveries' lists them"
        #expect(try await tminus(["deliveries", "--delivery", id] + place) == (65, [], [absent]))
        #expect(try await tminus(["deliveries", "retry", id] + place) == (65, [], [absent]))
        let typed = try await tminus(["deliveries", "retry", "../../x y"] + place)
        #expect(typed == (65, [], ["tminus: there is no delivery '../../x y'; 'tminus deliveries' lists them"]))
        let few = "tminus: '00000': give at least 6 digits of the delivery's id"
        #expect(try await tminus(["deliveries", "discard", "00000"] + place) == (65, [], [few]))
        let none = "tminus: there is no delivery '000000'; 'tminus deliveries' lists them"
        #expect(try await tminus(["deliveries", "discard", "000000"] + place) == (65, [], [none]))
        let history = try await tminus(["history", "te"] + place)
        let deliveries = try await tminus(["deliveries", "--id", "te"] + place)
        #expect(history.status == 65 && deliveries == history, "\(deliveries.errors)")
        #expect(try await tminus(["deliveries", "--id", "tea"] + place) == (0, ["No such deliveries."], []))
        #expect(try await tminus(["deliveries", "--sink", "none"] + place) == (0, ["No such deliveries."], []))
        try await daemon.stop()
    }

    @Test(
        "an invalid value is reported in terms of the command's options",
        arguments: [
            (["mute", "tea", "--for", "1h", "--until", "2099-01-01"], "give only one of --until and --for"),
            (["snooze", "tea", "0s"], "'0s': a snooze must be longer than zero"),
        ])
    func words(_ arguments: [String], _ message: String) async throws {
        let result = try await tminus(arguments)
        #expect(result.status == 64)
        #expect(result.errors.first?.contains(message) == true, "\(result.errors)")
    }
}
