/// The time zones of the machine.
public protocol ZoneDatabase: Sendable {
    /// The zone of that IANA name, with names and case as in tzdata; nil if there is none.
    func zone(named name: String) -> Zone?

    /// The zone of the machine, from `TZ` or `/etc/localtime`.
    var systemZone: Zone { get }

    /// All names, for suggestions.
    var names: [String] { get }
}
