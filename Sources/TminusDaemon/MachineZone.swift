internal import TminusSystem

/// The time zone of this machine, for commands that need no daemon.
public enum MachineZone {
    /// Why it is taken to be UTC though `TZ` or /etc/localtime says something else; nil if all is well.
    public static var problem: String? { SystemZoneDatabase().systemZoneProblem }
}
