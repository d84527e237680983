internal import TminusCore
internal import TminusSystem

/// The wall clock, and the definitions that follow it.
struct ClockFacts: Sendable {
    /// Whether something keeps it right; nil if the kernel does not tell.
    var isSynchronised: Bool?
    /// What it says.
    var now: Timestamp
    /// The version of the zone data, such as `2025b`; nil if it is unknown.
    var zoneData: String?
    /// The events, and the timers with `clock: wall`, sorted. A step of the clock moves what they send.
    var followers: [String]

    /// That of this machine.
    static func ofMachine(now: Timestamp, zoneData: String?, definitions: DefinitionSet) -> Self {
        Self(
            isSynchronised: ClockSynchronisation.isInForce, now: now, zoneData: zoneData,
            followers: followers(in: definitions))
    }

    /// The ids of the definitions whose instants are those of the wall clock.
    static func followers(in definitions: DefinitionSet) -> [String] {
        definitions.definitions.values.filter { definition in
            guard definition.isEnabled else { return false }
            switch definition.schedule {
            case .event: return true
            case .timer(let timer): return timer.clock == .wall
            case .stopwatch: return false
            }
        }.map(\.id.rawValue).sorted()
    }

    /// What is wrong.
    var findings: [Finding] {
        let concerned =
            followers.isEmpty
            ? "the times in the log are wrong" : "it decides when these are due: \(FindingText.some(followers))"
        if let year = zoneData.flatMap({ Int($0.prefix(4)) }), now.rfc3339 < "\(year)-01-01" {
            return [
                Finding(
                    .error, .clockWrong, "clock",
                    "says \(now.rfc3339.prefix(10)), which is before the zone data of \(year); \(concerned)",
                    fix: "sudo timedatectl set-ntp true, or sudo date --set 'YYYY-MM-DD HH:MM'")
            ]
        }
        guard isSynchronised == false, !followers.isEmpty else { return [] }
        return [
            Finding(
                .warning, .clockUnsynchronised, "clock", "nothing synchronises it; \(concerned)",
                fix: "sudo timedatectl set-ntp true, or sudo apt install chrony")
        ]
    }
}
