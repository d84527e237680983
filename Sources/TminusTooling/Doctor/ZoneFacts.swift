internal import Synchronization
internal import TminusCore
internal import TminusSystem

/// The zone data of the machine, and the zones in use.
struct ZoneFacts: Sendable {
    /// The directory of the zone data.
    var directory: String
    /// Whether it has zones.
    var hasZones: Bool
    /// Its version, such as `2025b`; nil if it is unknown.
    var version: String?
    /// Why the machine's zone is UTC although another is set; nil if it is not.
    var machineProblem: String?
    /// Whether neither `TZ` nor /etc/localtime sets the machine's zone.
    var isUnset: Bool
    /// The zones that definitions name and that are not there, sorted.
    var unknown: [String]
    /// The present time.
    var now: Timestamp

    /// Those of this machine.
    static func ofMachine(_ zones: SystemZoneDatabase, unknown: [String], now: Timestamp) -> Self {
        Self(
            directory: zones.directory, hasZones: !zones.names.isEmpty, version: zones.version,
            machineProblem: zones.systemZoneProblem, isUnset: zones.isUnset, unknown: unknown, now: now)
    }

    /// What is wrong.
    var findings: [Finding] {
        guard hasZones else {
            return [
                Finding(
                    .error, .zoneDataMissing, directory, "has no time zones, so every zone but UTC is unknown",
                    fix: "sudo apt install tzdata, or set TZDIR to where the zones are")
            ]
        }
        var found: [Finding] = []
        // In force may be the last release of its year. It is old 18 months after the end of that year.
        if let version, let year = Int(version.prefix(4)), now.rfc3339 >= "\(year + 2)-07-01" {
            found.append(
                Finding(
                    .warning, .zoneDataOld, directory,
                    "the zone data is of \(year) (\(version)); rules have changed since",
                    fix: "sudo apt update && sudo apt install tzdata"))
        }
        if let machineProblem {
            found.append(
                Finding(
                    .warning, .machineZone, "zone of the machine", "UTC is used: \(machineProblem)",
                    fix: "sudo timedatectl set-timezone Europe/Berlin"))
        } else if isUnset {
            found.append(
                Finding(
                    .warning, .machineZone, "zone of the machine",
                    "UTC is used: there is no /etc/localtime, and TZ is not set",
                    fix: "sudo timedatectl set-timezone Europe/Berlin"))
        }
        return found
            + unknown.map {
                Finding(
                    .error, .unknownZone, $0, "a definition names this time zone, and \(directory) does not have it",
                    fix:
                        "correct the name, or sudo apt install tzdata tzdata-legacy, which has old names such as US/Eastern"
                )
            }
    }
}

/// The zones of the machine, which notes the names that have none.
final class ZoneRecorder: ZoneDatabase {
    private let zones: SystemZoneDatabase
    private let asked = Mutex<Set<String>>([])

    init(_ zones: SystemZoneDatabase) {
        self.zones = zones
    }

    /// The names that were asked for and have no zone, sorted.
    var unknown: [String] { asked.withLock { $0.sorted() } }

    func zone(named name: String) -> Zone? {
        let zone = zones.zone(named: name)
        if zone == nil { asked.withLock { _ = $0.insert(name) } }
        return zone
    }

    var systemZone: Zone { zones.systemZone }
    var systemZoneProblem: String? { zones.systemZoneProblem }
    var names: [String] { zones.names }
    var version: String? { zones.version }
    var revision: Int { zones.revision }
}
