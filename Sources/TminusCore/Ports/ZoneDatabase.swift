/// The time zones of the machine.
public protocol ZoneDatabase: Sendable {
    /// The zone of that IANA name, with names and case as in tzdata; nil if there is none.
    func zone(named name: String) -> Zone?

    /// The zone of the machine, from `TZ` or `/etc/localtime`.
    var systemZone: Zone { get }

    /// All names, for suggestions.
    var names: [String] { get }

    /// The version of the zone data, such as `2025b`; nil if that is not known.
    var version: String? { get }

    /// Grows when a zone that was asked for, the machine's zone or the list of names is another than before. Reading it looks.
    var revision: Int { get }
}

/// For a database that never changes.
extension ZoneDatabase {
    public var version: String? { nil }
    public var revision: Int { 0 }
}
