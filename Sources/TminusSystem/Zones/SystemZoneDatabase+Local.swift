import TminusCore

extension SystemZoneDatabase {
    /// The zone of the machine, by `TZ` as in tzset(3), else `/etc/localtime` as in localtime(5), else UTC.
    var systemZoneAndProblem: (zone: Zone, problem: String?) {
        guard var setting = places.setting else { return fromLocaltime }
        if setting.hasPrefix(":") { setting.removeFirst() }
        if setting.isEmpty { return (.utc, nil) }
        if let zone = zone(bySetting: setting) { return (zone, nil) }
        return (
            .utc,
            "TZ='\(setting)' is neither a zone of \(places.directory) nor a rule such as CET-1CEST,M3.5.0,M10.5.0/3"
        )
    }

    /// What to write instead of a `TZ` that means nothing, as the end of a message; empty if nothing is near.
    var settingHint: String {
        let setting = (places.setting ?? "").drop { $0 == ":" }
        guard !setting.isEmpty else { return "" }
        return Suggestion.zone(for: String(setting), in: names).map { ", did you mean '\($0)'?" } ?? ""
    }

    private func zone(bySetting setting: String) -> Zone? {
        if setting.hasPrefix("/") {
            if setting == places.localtime { return fromLocaltime.zone }
            let name = ZoneName.inPath(setting, directory: places.directory)
            return zone(at: setting, named: name ?? setting)
        }
        return zone(named: setting) ?? (try? Zone(name: setting, posix: setting))
    }

    private var fromLocaltime: (zone: Zone, problem: String?) {
        let path = places.localtime
        guard FileBytes.stamp(path) != nil else {
            // Without this file the zone is UTC (localtime(5)); a dangling link is a mistake.
            return (.utc, FileBytes.link(path).map { "\(path) leads to '\($0)', which is not there" })
        }
        if let name = nameByLink(path), let zone = zone(at: path, named: name) { return (zone, nil) }
        guard let zone = zone(at: path, named: "localtime") else { return (.utc, "\(path) is not a zone's file") }
        // The name is used only if it has the same rules, because the C library follows the file.
        if let name = nameByFile, let named = self.zone(named: name), named.hasSameRules(as: zone) {
            return (named, nil)
        }
        return (zone, nil)
    }

    /// The name to which the link leads, possibly over other links. Not its real path, because a zone may itself be a
    /// link.
    private func nameByLink(_ path: String) -> String? {
        var path = path
        for _ in 0..<8 {
            guard let target = FileBytes.link(path) else { return nil }
            if let name = ZoneName.inPath(target, directory: places.directory) { return name }
            path =
                target.hasPrefix("/")
                ? target : path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex) + target
        }
        return nil
    }

    /// The first line of `/etc/timezone`.
    private var nameByFile: String? {
        guard let bytes = FileBytes.read(places.timezone, limit: 4_096) else { return nil }
        return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    }
}
