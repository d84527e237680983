import Foundation
import Glibc
import Testing

/// A test's own zone directory, for TZDIR.
private struct PrivateZones {
    let path: String

    init(in scratch: Scratch) throws {
        path = "\(scratch.path)/zoneinfo"
        try FileManager.default.createDirectory(atPath: "\(path)/Test", withIntermediateDirectories: true)
    }

    var environment: [String: String] { Program.environment.merging(["TZDIR": path, "TZ": "Test/Home"]) { $1 } }

    /// Gives a zone the rules of a system zone by renaming a file into place, as an update of tzdata does.
    func set(_ name: String, to zone: String) throws {
        let rules = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(zone)"))
        try rules.write(to: URL(fileURLWithPath: "\(path)/\(name)"), options: .atomic)
    }

    func set(version: String) throws {
        try Data("# version \(version)\n".utf8).write(to: URL(fileURLWithPath: "\(path)/tzdata.zi"), options: .atomic)
    }
}

@Suite("Changes of zone data while the daemon runs")
struct ZoneReloadTests {
    /// A UTC time in the form that `at` takes.
    private func text(_ date: Date) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [
            .withFullDate, .withTime, .withColonSeparatorInTime, .withSpaceBetweenDateAndTime, .withDashSeparatorInDate,
        ]
        return formatter.string(from: date)
    }

    @Test("a changed rule moves an event within one rescan, and the log shows the data's version")
    func rescan() async throws {
        let scratch = try Scratch()
        let zones = try PrivateZones(in: scratch)
        for name in ["Test/Place", "Test/Home"] { try zones.set(name, to: "Etc/UTC") }
        try zones.set(version: "2099a")
        let date = Date(timeIntervalSinceNow: 36_000)
        try scratch.save("e.yaml", "events: { there: { at: '\(text(date))', timezone: Test/Place } }\n")
        let daemon = try RunningDaemon(in: scratch, environment: zones.environment)
        try await daemon.errors.first("the version") {
            $0.contains("definitions in force") && $0.contains("tzdata=2099a")
        }
        try await scratch.query("SELECT count(*) FROM schedule", yields: ["1"])

        try zones.set("Test/Place", to: "Etc/GMT-1")
        try zones.set(version: "2099b")
        let next = text(date.addingTimeInterval(-3_600)).replacingOccurrences(of: " ", with: "T")
        let line = try await daemon.errors.first("the move") { $0.contains("rescheduled") }
        #expect(line.text.contains("definition.id=there") && line.text.contains("next=\(next)"))
        try await daemon.errors.first("the new version") {
            $0.contains("time zones have changed") && $0.contains("tzdata=2099b")
        }
        #expect(try await daemon.stop() == 0)
    }

    @Test("SIGHUP reloads zones at once: an event in the machine's zone is delivered once, at its new instant")
    func hangUp() async throws {
        let scratch = try Scratch()
        let zones = try PrivateZones(in: scratch)
        try zones.set("Test/Home", to: "Etc/UTC")
        try scratch.save("e.yaml", "events: {}\n")
        let daemon = try RunningDaemon(in: scratch, environment: zones.environment)
        try await daemon.ready()
        // Choose the time only now: with other tests running, a start may take half a minute.
        let date = Date(timeIntervalSinceNow: 3_600 + 45)
        try scratch.save(
            "e.yaml",
            "events: { here: { at: '\(text(date))', on-expiry: [{ stdout: {}, message: 'due {{due}}' }] } }\n")
        try await scratch.query("SELECT count(*) FROM schedule", yields: ["1"])
        try zones.set("Test/Home", to: "Etc/GMT-1")
        daemon.program.send(SIGHUP)
        let due = text(date).replacingOccurrences(of: " ", with: "T")
        let line = try await daemon.output.first("the event") { $0.contains(" here: ") }
        #expect(line.text.contains(" here: due \(due)") && line.text.hasSuffix("+01:00"), "\(line.text)")
        #expect(try await daemon.stop() == 0)
        #expect(daemon.output.texts.count == 1)
    }

    @Test("a missing zone is reported, its definitions stay, and they are rescheduled when it is back")
    func gone() async throws {
        let scratch = try Scratch()
        let zones = try PrivateZones(in: scratch)
        for name in ["Test/Place", "Test/Home"] { try zones.set(name, to: "Etc/UTC") }
        let date = Date(timeIntervalSinceNow: 36_000)
        try scratch.save("e.yaml", "events:\n  there: { at: '\(text(date))', timezone: Test/Place }\n")
        let daemon = try RunningDaemon(in: scratch, environment: zones.environment)
        try await daemon.ready()
        try FileManager.default.removeItem(atPath: "\(zones.path)/Test/Place")
        daemon.program.send(SIGHUP)
        try await daemon.errors.first("the problem") {
            $0.hasPrefix("\(scratch.config)/e.yaml:2:") && $0.contains("unknown time zone 'Test/Place'")
        }
        try await scratch.query("SELECT phase, removed IS NULL FROM schedule", yields: ["armed|1"])
        try zones.set("Test/Place", to: "Etc/GMT-1")
        daemon.program.send(SIGHUP)
        try await daemon.errors.first("the move") { $0.contains("rescheduled") }
        try await daemon.errors.first("the all-clear") { $0.contains("no file has errors any more") }
        #expect(!daemon.errors.texts.contains { $0.contains("cancelled") })
        #expect(try await daemon.stop() == 0)
    }
}
