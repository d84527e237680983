package import TminusCore
internal import TminusSystem

/// The clock on the wall of this machine, for commands.
public enum MachineZone {
    /// The zone of this process.
    package static var current: Zone { SystemZoneDatabase().systemZone }
    /// All zones of this machine.
    package static var zones: any ZoneDatabase { SystemZoneDatabase() }
    /// The time.
    package static var now: Timestamp { TimerFDClock.now }
    /// Why the zone is taken to be UTC though `TZ` or /etc/localtime says something else; nil if all is well.
    public static var problem: String? { SystemZoneDatabase().systemZoneProblem }
}
