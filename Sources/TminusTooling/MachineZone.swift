package import TminusCore
internal import TminusSystem

/// The zone and the time of this machine, for commands.
package enum MachineZone {
    /// The zone of this process.
    package static var current: Zone { SystemZoneDatabase().systemZone }
    /// All zones of this machine.
    package static var zones: any ZoneDatabase { SystemZoneDatabase() }
    /// The wall time.
    package static var now: Timestamp { TimerFDClock.now }
    /// Why the zone falls back to UTC although `TZ` or /etc/localtime name another; nil if it does not.
    package static var problem: String? { SystemZoneDatabase().systemZoneProblem }
}
