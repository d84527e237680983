@testable import TminusCore

/// Targets for the rules of time zones.
enum ZoneTargets {
    /// A zone with a gap and an overlap each year.
    static let berlin: Zone = {
        guard let zone = try? Zone(name: "Europe/Berlin", posix: "CET-1CEST,M3.5.0,M10.5.0/3") else { return .utc }
        return zone
    }()

    static func tzif(_ bytes: [UInt8]) {
        guard let zone = try? Zone(name: "fuzz", tzif: bytes) else { return }
        look(at: zone)
    }

    static func posix(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let zone = try? Zone(name: "fuzz", posix: text) else { return }
        look(at: zone)
    }

    /// What the clock shows at an instant is never a time that it skips.
    private static func look(at zone: Zone) {
        var instants = [Int64.min, -3_000_000_000, 0, 1_774_746_000, 4_000_000_000, .max].map(Timestamp.init(seconds:))
        var change = zone.nextChange(after: .distantPast)
        for _ in 0..<64 {
            guard let found = change else { break }
            let instant = Timestamp(seconds: Int64(found.instant))
            let later = zone.nextChange(after: instant)
            demand(later.map { $0.instant > found.instant } ?? true, "changes are in order")
            instants += [instant.previous, instant]
            change = later
        }
        for instant in instants {
            let local = zone.local(instant)
            guard LocalDateTime.years.contains(local.year) else { continue }
            if case .gap = zone.resolve(local) {
                demand(false, "the clock shows \(local.dateText) \(local.timeText) at \(instant.rfc3339)")
            }
            _ = zone.instant(CalendarSpan(months: 1, days: 1), .before, of: instant)
        }
    }
}
