import Foundation
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

    @Test("a delivered delivery cannot be retried, and the message says what can")
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
        let reason = "tminus: \(id) is delivered: only dead, expired or discarded deliveries can be retried"
        #expect(try await tminus(["deliveries", "retry", id] + place) == (65, [], [reason]))
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
