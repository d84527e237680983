/// The time zones of the machine.
public protocol ZoneDatabase: Sendable {
    /// The zone with the given IANA name, whose case must match tzdata; nil if there is none.
    func zone(named name: String) -> Zone?

    /// The zone of the machine, from `TZ` or `/etc/localtime`.
    var systemZone: Zone { get }

    /// Why ``systemZone`` is UTC although the machine names another zone, with what to write instead; nil if it is not.
    var systemZoneProblem: String? { get }

    /// All names, for suggestions.
    var names: [String] { get }

    /// The version of the zone data, such as `2025b`; nil if it is unknown.
    var version: String? { get }

    /// Increases when a requested zone, the machine's zone or the list of names changes. Each read checks for changes.
    var revision: Int { get }
}

/// Defaults for a database that never changes.
extension ZoneDatabase {
    public var version: String? { nil }
    public var systemZoneProblem: String? { nil }
    public var revision: Int { 0 }
}
