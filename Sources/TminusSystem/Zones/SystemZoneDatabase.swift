import Glibc
import Synchronization
package import TminusCore

/// The zones of the machine's tzdata: TZif files below `TZDIR` or `/usr/share/zoneinfo`.
///
/// A zone is read once and kept until its file changes, so that an update of tzdata takes effect at the next look.
package final class SystemZoneDatabase: ZoneDatabase {
    /// The paths of the database, and the zone of the environment.
    package struct Places: Sendable {
        /// The directory of TZif files.
        package var directory: String
        /// The zone of the machine, often a link into the directory.
        package var localtime: String
        /// The file with the name of the machine's zone, on some systems.
        package var timezone: String
        /// The value of `TZ`; nil if it is not set.
        package var setting: String?

        /// The given places.
        package init(
            directory: String, localtime: String = "/etc/localtime", timezone: String = "/etc/timezone",
            setting: String? = nil
        ) {
            self.directory = directory
            self.localtime = localtime
            self.timezone = timezone
            self.setting = setting
        }

        /// The places of this process, from `TZDIR` and `TZ`.
        package static var ofProcess: Places {
            func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
            let directory = variable("TZDIR") ?? ""
            return Places(
                directory: directory.isEmpty ? "/usr/share/zoneinfo" : directory, setting: variable("TZ"))
        }
    }

    private struct Entry {
        var path: String
        var stamp: FileBytes.Stamp
        var zone: Zone
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The stamps of requested files that are not zones, by path.
        var missing: [String: FileBytes.Stamp?] = [:]
        var names: [String]?
        var revision = 0
        var surroundings: Surroundings?
    }

    /// Everything that answers depend on, except the zone files.
    private struct Surroundings: Equatable {
        var index: [FileBytes.Stamp?]
        var systemZone: Zone
    }

    /// Far larger than any TZif file of tzdata.
    private static let sizeLimit = 256 * 1_024
    /// How many names without a zone are remembered, to notice when a zone of that name appears.
    private static let missingLimit = 1_000

    let places: Places
    private let state = Mutex(State())

    /// A database that reads files on demand.
    package init(_ places: Places = .ofProcess) {
        self.places = places
    }

    package func zone(named name: String) -> Zone? {
        guard ZoneName.isValid(name) else { return nil }
        // UTC is known without tzdata.
        return zone(at: "\(places.directory)/\(name)", named: name) ?? (name == "UTC" ? .utc : nil)
    }

    package var systemZone: Zone { systemZoneAndProblem.zone }

    /// Why the machine's zone falls back to UTC; nil if it does not. The hint is searched here and not with each look at the zone.
    package var systemZoneProblem: String? { systemZoneAndProblem.problem.map { $0 + settingHint } }

    /// The directory of the zones.
    package var directory: String { places.directory }

    /// Whether neither `TZ` nor the file for it sets the machine's zone.
    package var isUnset: Bool {
        places.setting == nil && FileBytes.stamp(places.localtime) == nil && FileBytes.link(places.localtime) == nil
    }

    package var names: [String] {
        if let names = state.withLock(\.names) { return names }
        let names = ZoneIndex.names(in: places.directory)
        state.withLock { $0.names = names }
        return names
    }

    package var version: String? { ZoneIndex.version(in: places.directory) }

    package var revision: Int {
        let surroundings = Surroundings(
            index: ["tzdata.zi", "+VERSION"].map { FileBytes.stamp("\(places.directory)/\($0)") },
            systemZone: systemZone)
        let (entries, missing) = state.withLock { ($0.entries, $0.missing) }
        let changed = entries.filter { FileBytes.stamp($0.value.path) != $0.value.stamp }.keys
        let appeared = missing.filter { FileBytes.stamp($0.key) != $0.value }.keys
        return state.withLock { state in
            for key in changed { state.entries[key] = nil }
            for path in appeared { state.missing[path] = nil }
            if !changed.isEmpty || !appeared.isEmpty || state.surroundings ?? surroundings != surroundings {
                state.revision += 1
                state.names = nil
            }
            state.surroundings = surroundings
            return state.revision
        }
    }

    /// The zone in a file, read again only if the file has changed.
    func zone(at path: String, named name: String) -> Zone? {
        guard let stamp = FileBytes.stamp(path) else {
            noteMissing(path, nil)
            return nil
        }
        let key = "\(path)\0\(name)"
        if let entry = state.withLock({ $0.entries[key] }), entry.stamp == stamp { return entry.zone }
        // Outside the lock: two threads that read the same file at the same time get equal zones.
        guard let bytes = FileBytes.read(path, limit: Self.sizeLimit), let zone = try? Zone(name: name, tzif: bytes)
        else {
            noteMissing(path, stamp)
            return nil
        }
        state.withLock { state in
            // The revision tells callers that their zone may be outdated.
            if state.entries[key] != nil { state.revision += 1 }
            state.entries[key] = Entry(path: path, stamp: stamp, zone: zone)
        }
        return zone
    }

    private func noteMissing(_ path: String, _ stamp: FileBytes.Stamp?) {
        state.withLock { state in
            if state.missing.count < Self.missingLimit { state.missing[path] = .some(stamp) }
        }
    }
}
