import Foundation
import Testing
import TminusCore

@testable import TminusDefinitions

/// The output of `tminus simulate` for `Simulations/config.yaml`, over the end of daylight saving time and an outage.
/// `TMINUS_RECORD=1` records it again.
@Suite("golden simulation")
struct SimulationGoldenTests {
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Simulations")

    private func render(_ format: SimulationRenderer.Format) throws -> String {
        let text = try String(contentsOf: Self.directory.appendingPathComponent("config.yaml"), encoding: .utf8)
        var loader = DefinitionLoader.test()
        let result = loader.load(["config.yaml": text])
        #expect(result.messages == [])
        let zone = try #require(TestZones.shared.zone(named: "Europe/Berlin"))
        func instant(_ day: Int, _ hour: Int) -> Timestamp { zone.instant(of: LocalDateTime(2026, 10, day, hour)) }
        let simulation = Simulation(
            result.set, from: instant(24, 12), to: instant(26, 12), outages: [instant(25, 12)..<instant(25, 20)])
        var playback = Playback(simulation)
        let renderer = SimulationRenderer(
            result.set, root: "/etc/tminus", registry: .tests, format: format, zone: zone, source: "/tminus/test")
        var bytes: [UInt8] = []
        var last = Timestamp.distantPast
        while let entry = playback.next() {
            #expect(entry.at >= last, "in the order of the instants")
            last = entry.at
            renderer.append(entry, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func check(_ text: String, against name: String) throws {
        let record = Self.directory.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["TMINUS_RECORD"] == "1" { try Data(text.utf8).write(to: record) }
        #expect(try text == String(contentsOf: record, encoding: .utf8))
    }

    @Test("for people: columns, sorted by instant; sinks and texts as a person knows them")
    func text() throws {
        try check(render(.text), against: "simulation.txt")
    }

    @Test("for programs: each line is an object with the CloudEvent that the sink would receive")
    func json() throws {
        let text = try render(.json)
        let lines = text.split(separator: "\n")
        for line in lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let event = object["event"] as? [String: Any]
            #expect((event == nil) == (object["omitted"] != nil))
            #expect(event == nil || (event?["id"] as? String)?.count == 32)
        }
        #expect(try lines.count == render(.text).split(separator: "\n").count { !$0.hasPrefix("    ") })
        try check(text, against: "simulation.ndjson")
    }
}
