public import TminusCore

/// Time zones that a test changes.
public final class ManualZones: ZoneDatabase {
    private struct State: Sendable {
        var zones: [String: Zone]
        var system: Zone
        var version: String?
        var revision = 0
    }

    private let state: Watched<State>

    /// UTC and zones by rules as in TZ (POSIX), such as `CET-1CEST,M3.5.0,M10.5.0/3`; the machine is on UTC.
    public init(_ rules: [String: String] = [:], version: String? = nil) {
        state = Watched(State(zones: ["UTC": .utc], system: .utc, version: version))
        for (name, rule) in rules { set(name, to: rule) }
    }

    public func zone(named name: String) -> Zone? { state.value.zones[name] }
    public var systemZone: Zone { state.value.system }
    public var names: [String] { state.value.zones.keys.sorted() }
    public var version: String? { state.value.version }
    public var revision: Int { state.value.revision }

    /// Gives a zone another rule, or takes it away (nil); with the version of zone data that brings it.
    public func set(_ name: String, to rule: String?, version: String? = nil) {
        let zone = rule.flatMap { try? Zone(name: name, posix: $0) }
        precondition(rule == nil || zone != nil, "a rule as in TZ")
        state.update { state in
            state.zones[name] = zone
            state.version = version ?? state.version
            state.revision += 1
        }
    }

    /// Puts the machine into one of the zones.
    public func move(to name: String) {
        state.update { state in
            state.system = state.zones[name] ?? .utc
            state.revision += 1
        }
    }
}
