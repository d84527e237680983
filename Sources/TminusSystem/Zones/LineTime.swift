internal import Synchronization
internal import TminusCore

/// The zone of the time at the beginning of a line, in the log and on standard output.
package enum LineTime: String, Sendable, Hashable, CaseIterable {
    /// The zone of the machine, with its offset: `2026-12-01T09:00:00.000+01:00`.
    case local
    /// UTC: `2026-12-01T08:00:00.000Z`.
    case utc

    /// The present wall time in milliseconds.
    package var now: String {
        let instant = TimerFDClock.now.nanoseconds
        let now = Timestamp(nanoseconds: instant - instant % 1_000_000)
        return text(now, in: self == .utc ? .utc : Self.machine.zone(at: instant / 1_000_000_000))
    }

    /// An instant in a zone, in the form of ``now``.
    private func text(_ instant: Timestamp, in zone: Zone) -> String {
        self == .utc ? instant.rfc3339 : instant.rfc3339(in: zone)
    }

    private static let machine = MachineZoneCache()
}

/// The zone of the machine, determined at most once a second: each determination takes several system calls.
private final class MachineZoneCache: Sendable {
    private let database = SystemZoneDatabase()
    private let last = Mutex<(second: Int64, zone: Zone)?>(nil)

    /// The zone in the given second.
    func zone(at second: Int64) -> Zone {
        if let last = last.withLock({ $0 }), last.second == second { return last.zone }
        let zone = database.systemZone
        last.withLock { $0 = (second, zone) }
        return zone
    }
}
