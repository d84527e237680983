import Foundation
import Glibc
import Testing

/// Ad-hoc timers, and the messages of commands when something is wrong.
@Suite("Ad-hoc commands")
struct AdHocCommandTests {
    private func tminus(_ arguments: [String]) async throws -> (status: CInt, output: [String], errors: [String]) {
        let program = try Program(Program.tminus, arguments)
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    @Test("an expired ad-hoc timer frees its name, unless it is snoozed; 'remove' removes a running one")
    func nameAgain() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let places = ["--state", scratch.state]
        for count in 1...3 {
            let made = try await tminus(["timer", "100ms", "--name", "one", "--then", "echo x >> ran"] + places)
            #expect(made.status == 0, "\(made.errors)")
            try await scratch.lines(count, of: "ran")
        }
        let remove = ["remove", "one", "--config", scratch.config] + places
        let taken = (CInt(65), [String](), ["tminus: 'one' is in use; give another name or id"])
        // Its expiry is to be sent once more.
        #expect(try await tminus(["snooze", "one", "1h"] + places).status == 0)
        #expect(try await tminus(["timer", "1h", "--name", "one"] + places) == taken)
        #expect(try await tminus(remove).status == 0)
        let longer = try await tminus(["timer", "1h", "30m", "--name", "one", "--json"] + places)
        #expect(longer.output.joined().contains(#""total":{"seconds":5400,"#), "\(longer)")
        #expect(try await tminus(["timer", "1h", "--name", "one"] + places) == taken)
        #expect(try await tminus(remove) == (0, ["removed timer 'one', which had no file"], []))
        let gone = try await tminus(remove)
        #expect(gone.status == 65)
        #expect(gone.errors.last?.contains("no definition 'one' in \(scratch.config)") == true)
        #expect(gone.errors.last?.contains("no daemon answered") == false)
        try await daemon.stop()
        let unanswered = try await tminus(remove)
        #expect(unanswered.status == 65)
        #expect(unanswered.errors.last?.hasSuffix("; no daemon answered, so ad-hoc items were not checked") == true)
    }

    @Test(
        "an ad-hoc timer keeps its id when a file uses it too; after 'remove', the file's takes over")
    func idTaken() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let places = ["--state", scratch.state]
        #expect(try await tminus(["timer", "2h", "--name", "focus"] + places).status == 0)
        try scratch.save("b.yaml", "timers: { focus: { duration: 5h } }\n")
        // Not everything is in force.
        #expect(try await tminus(["reload", "--wait"] + places).status == 65)
        let check = try await tminus(["status"] + places)
        #expect(check.status == 65)
        #expect(check.output.contains { $0.contains("duplicate: b.yaml:1:") && $0.contains("'tminus remove focus'") })
        let remove = ["remove", "focus", "--config", scratch.config] + places
        #expect(try await tminus(remove) == (0, ["removed timer 'focus', which had no file"], []))
        let shown = try await tminus(["show", "focus", "--json"] + places).output.joined()
        #expect(shown.contains(#""file":"\#(scratch.config)/b.yaml""#), "\(shown)")
        #expect(shown.contains(#""total":{"seconds":18000,"#), "\(shown)")
        #expect(try await tminus(["status"] + places).status == 0)
        try await daemon.stop()
    }

    @Test("a daemon whose socket was removed is reported as running and restores the socket at the next check")
    func socketGone() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        var environment = Program.environment
        environment["RUNTIME_DIRECTORY"] = nil
        let daemon = try RunningDaemon(in: scratch, environment: environment)
        try await daemon.ready()
        let status = ["status", "--state", scratch.state]
        let deadline = ContinuousClock.now + Waiting.limit
        while try await tminus(status).status != 0, ContinuousClock.now < deadline {}
        try FileManager.default.removeItem(atPath: "\(scratch.state)/control.sock")
        let lost = try await tminus(status)
        #expect(lost.status == 69)
        #expect(
            lost.errors.first?.hasPrefix(
                "tminus: a daemon runs on \(scratch.state) (process id \(daemon.program.id)), but its control socket is gone"
            ) == true, "\(lost.errors)")
        daemon.program.send(SIGHUP)
        while try await tminus(status).status != 0, ContinuousClock.now < deadline {}
        #expect(try await tminus(status).status == 0)
        try await daemon.stop()
        let ended = try await tminus(status)
        #expect(ended.status == 69)
        #expect(ended.errors.first?.hasPrefix("tminus: no daemon is running") == true, "\(ended.errors)")
    }

    @Test("an ad-hoc timer takes a duration and a name in either order, and a stopwatch a name, as 'add' does")
    func names() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        let places = ["--state", scratch.state, "--json"]
        func made(_ words: String...) async throws -> (id: String?, name: String?) {
            let result = try await tminus(words + places)
            let item = try JSONSerialization.jsonObject(with: Data(result.output.joined().utf8)) as? [String: Any]
            return (item?["id"] as? String, item?["name"] as? String)
        }
        #expect(try await made("timer", "4m", "Egg") == ("Egg", "Egg"))
        #expect(try await made("timer", "Green tea", "4m", "30s") == ("green-tea", "Green tea"))
        #expect(try await made("timer", "4m", "--id", "e2", "--name", "Egg 2") == ("e2", "Egg 2"))
        #expect(try await made("stopwatch", "Run") == ("Run", "Run"))
        #expect(try await made("stopwatch", "Morning", "run") == ("morning-run", "Morning run"))
        let month = try await tminus(["timer", "25M", "tea"] + places)
        #expect(month == (64, [], ["tminus: '25M': m is minutes, mo or month are months"]))
        try await daemon.stop()
    }

    @Test(
        "an invalid value gives one error line without the root's usage",
        arguments: [
            ["mute", "tea", "--until", "gestern"], ["why", "tea", "garbage"], ["add", "timer", "tea", "4x"],
            ["timer", "25M", "tea"], ["timer", "tea"], ["mute", "--until", "tomorrow", "--tz", "Europe/Berln"],
        ])
    func wrongValue(_ arguments: [String]) async throws {
        let result = try await tminus(arguments)
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        #expect(result.errors.count == 1)
        #expect(result.errors.first?.hasPrefix("tminus: ") == true)
    }
}
