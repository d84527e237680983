import Foundation
import TminusCore

/// A few zones of the machine's tzdata.
struct TestZones: ZoneDatabase {
    let names = ["America/New_York", "Asia/Tokyo", "Europe/Berlin", "Europe/Bern", "UTC"]
    /// Read once.
    static let shared = TestZones()
    private let zones: [String: Zone]

    init() {
        var zones = ["UTC": Zone.utc]
        for name in names where name != "UTC" {
            guard let data = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)") else { continue }
            zones[name] = try? Zone(name: name, tzif: [UInt8](data))
        }
        self.zones = zones
    }

    func zone(named name: String) -> Zone? { zones[name] }
    var systemZone: Zone { .utc }
}
