import Foundation
import Glibc
import Testing

@Suite("tminus diff")
struct DiffTests {
    private func diff(_ arguments: [String]) async throws -> (status: CInt, output: [String], errors: [String]) {
        let program = try Program(Program.tminus, ["diff"] + arguments)
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    private func candidate(_ scratch: Scratch, _ text: String) throws -> String {
        let path = "\(scratch.path)/candidate"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/a.yaml"))
        return path
    }

    @Test("without a state: status 69, a hint, and no state is created")
    func noState() async throws {
        let scratch = try Scratch()
        let result = try await diff(["--config", scratch.config, "--state", scratch.state])
        #expect(result.status == 69)
        #expect(
            result.errors == [
                "tminus: no state in \(scratch.state): start the daemon once, or compare two directories: tminus diff OLD NEW"
            ])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.state) == [])
    }

    @Test("beside a running daemon: compares a candidate directory with the current countdowns")
    func running() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h, on-expiry: [{ shell: ./tea }] } }\n")
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        try await scratch.query("SELECT count(*) FROM kept_file", yields: ["1"])
        try await scratch.query("SELECT count(*) FROM schedule", yields: ["1"])
        let place = ["--config", scratch.config, "--state", scratch.state]
        #expect(try await diff(place) == (0, ["no difference, 1 unchanged"], []))

        // Relative paths resolve as in the directory that the candidate replaces.
        let same = try candidate(scratch, "timers: { tea: { duration: 60m, on-expiry: [{ shell: ./tea }] } }\n")
        #expect(try await diff(place + ["--exit-code", same]) == (0, ["no difference, 1 unchanged"], []))

        let other = try candidate(scratch, "timers: { tea: { duration: 2h, on-expiry: [{ shell: ./tea }] } }\n")
        let result = try await diff(place + ["--exit-code", other])
        #expect(result.status == 1)
        #expect(result.output.first == "~ timer tea (\(other)/a.yaml:1): schedule")
        #expect(result.output.last == "0 to add, 0 to remove, 1 to change, 0 unchanged")
        let nanoseconds = try await scratch.query("SELECT deadline / 1000000000 FROM schedule")
        let before = Date(timeIntervalSince1970: Double(nanoseconds[0]) ?? 0)
        let stamp = before.ISO8601Format().prefix(16)
        #expect(result.output[1].contains(stamp) || TimeZone.current.secondsFromGMT() != 0)
        #expect(try await daemon.stop() == 0)
        #expect(try await diff(place + [other]).status == 0)

        // Without a daemon and without a config directory, the one path stands in for the directory of the state.
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/empty", withIntermediateDirectories: false)
        let nowhere = Program.environment.merging(["XDG_CONFIG_HOME": "/nowhere", "HOME": "/nowhere"]) { _, new in new }
        let again = try candidate(scratch, "timers: { tea: { duration: 60m, on-expiry: [{ shell: ./tea }] } }\n")
        for path in [scratch.config, again] {
            let line =
                "cd '\(scratch.path)/empty' && exec '\(Program.tminus)' diff '\(path)' --state '\(scratch.state)'"
            let program = try Program("sh", ["-c", line], environment: nowhere)
            #expect(try await program.end() == 0, "\(program.errors.texts)")
            #expect(program.output.texts == ["no difference, 1 unchanged"])
        }
    }

    @Test("an error in the new files: status 65, reported as by check, and its definitions do not count as removed")
    func broken() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let other = try candidate(scratch, "timers: { tea: { duratoin: 2h, duration: 2h } }\n")
        let result = try await diff([scratch.config, other])
        #expect(result.status == 65)
        #expect(result.output == ["no difference, 1 unchanged"])
        #expect(result.errors.first?.hasPrefix("\(other)/a.yaml:1:18: error: unknown key 'duratoin'") == true)
    }

    @Test("two directories need no state; JSON is one object")
    func directories() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers: { tea: { duration: 1h } }\n")
        let other = try candidate(scratch, "timers: { coffee: { duration: 1h, repeat: immediately } }\n")
        let result = try await diff([scratch.config, other, "--json", "-n", "2"])
        #expect(result.status == 0)
        let text = Data(result.output.joined().utf8)
        let object = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        #expect(object["different"] as? Bool == true)
        let added = try #require(object["added"] as? [[String: Any]])
        #expect(added.first?["id"] as? String == "coffee")
        #expect((added.first?["firings"] as? [[String: Any]])?.count == 2)
        #expect((object["removed"] as? [[String: Any]])?.first?["id"] as? String == "tea")
        #expect(try await diff([scratch.config]).status != 0)
        #expect(try await diff(["-n", "0"]).status == 64)
        #expect(try await diff([scratch.config, "\(scratch.path)/nowhere"]).status == 74)
    }

    @Test("an event that moves is one line for each action, though its expiry lies beyond the window")
    func moved() async throws {
        let scratch = try Scratch()
        func launch(_ day: String) -> String {
            "events: { launch: { at: \(day)T09:00Z, remind: [1 week, 1 day, 1 hour, 30 minutes, 5 minutes] } }\n"
        }
        // Only its longest lead is past, so the first window ends with the expiry, and the second before it.
        let soon = Date(timeIntervalSinceNow: 2 * 86_400).ISO8601Format().prefix(10)
        try scratch.save("a.yaml", launch(String(soon)))
        let other = try candidate(scratch, launch("2190-12-01"))
        let result = try await diff([scratch.config, other])
        #expect(result.status == 0)
        let lines = result.output.filter { $0.hasPrefix("    ") }.map { $0.trimmingPrefix("    ") }
        #expect(lines.count { $0.hasPrefix("> ") } == 5, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("> ") && $0.hasSuffix("  expiry") }, "\(lines)")
        #expect(lines.filter { !$0.hasPrefix("> ") }.allSatisfy { $0.hasPrefix("+ ") && $0.hasSuffix("1 week before") })
    }
}
