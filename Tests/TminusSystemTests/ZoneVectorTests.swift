import Foundation
import Testing
import TminusCore

@testable import TminusSystem

/// Local times and reminders of `Vectors/README.md`'s families, over the machine's tzdata.
struct ZoneVectorTests {
    struct Vector: Decodable {
        var local: String?
        var event: String?
        var tz: String
        var kind: String?
        var before: String?
        var utcCompatible: String?
        var utcEarlier: String?
        var utcLater: String?
        var expectedUtc: String?
        var alternatives: [String: String]?
        var topic: String?
    }

    static let zones = SystemZoneDatabase(.init(directory: "/usr/share/zoneinfo"))

    static func vectors(_ name: String) throws -> [Vector] {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "jsonl", subdirectory: "Vectors"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try Data(contentsOf: url).split(separator: 0x0A).map { try decoder.decode(Vector.self, from: Data($0)) }
    }

    private func instant(_ text: String?) throws -> Timestamp {
        guard case .instant(let instant) = try DateTimeText.parse(try #require(text)).get() else {
            throw SpanProblem("no offset")
        }
        return instant
    }

    private func local(_ text: String?) throws -> LocalDateTime {
        guard case .local(let local) = try DateTimeText.parse(try #require(text)).get() else {
            throw SpanProblem("an offset")
        }
        return local
    }

    @Test("every local time is resolved as three other implementations do")
    func localResolution() throws {
        let vectors = try Self.vectors("local_resolution")
        #expect(vectors.count == 311)
        for vector in vectors {
            let zone = try #require(Self.zones.zone(named: vector.tz))
            let resolution = zone.resolve(try local(vector.local))
            let expected: LocalResolution =
                switch vector.kind {
                case "gap": .gap(before: try instant(vector.utcEarlier), after: try instant(vector.utcLater))
                case "overlap": .overlap(first: try instant(vector.utcEarlier), second: try instant(vector.utcLater))
                default: .unique(try instant(vector.utcCompatible))
                }
            #expect(resolution == expected, "\(vector)")
            #expect(zone.instant(of: try local(vector.local)) == (try instant(vector.utcCompatible)), "\(vector)")
        }
    }

    @Test("every invalid local time or zone is an error")
    func localInvalid() throws {
        let vectors = try Self.vectors("local_invalid")
        #expect(vectors.count == 14)
        for vector in vectors where Self.zones.zone(named: vector.tz) != nil {
            #expect(throws: SpanProblem.self, "\(vector)") { try DateTimeText.parse(vector.local ?? "").get() }
        }
        #expect(Self.zones.zone(named: "../etc/passwd") == nil)
    }

    @Test("every reminder is due when two other implementations say")
    func reminders() throws {
        let vectors = try Self.vectors("reminder_before")
        #expect(vectors.count == 237)
        for vector in vectors {
            let zone = try #require(Self.zones.zone(named: vector.tz))
            let lead = try CalendarSpan.parse(try #require(vector.before)).get()
            let occurrence = zone.instant(of: try local(vector.event))
            #expect(zone.instant(lead, .before, of: occurrence) == (try instant(vector.expectedUtc)), "\(vector)")
        }
    }

    /// Decided on purpose: what the clock shows at the occurrence counts, months are calendar months, the exact part is last.
    static let decisions = [
        "event-in-gap": "from the clock time it was moved to",
        "fraction-of-a-calendar-unit": "whole days by the calendar, the rest exact",
        "months-and-years": "calendar month, day clamped",
        "order-of-mixed-units": "calendar part first",
    ]

    @Test("every open question has the answer that was decided")
    func openReminders() throws {
        let vectors = try Self.vectors("reminder_open")
        #expect(vectors.count == 14)
        for vector in vectors {
            let zone = try #require(Self.zones.zone(named: vector.tz))
            let lead = try CalendarSpan.parse(try #require(vector.before)).get()
            let decision = try #require(Self.decisions[vector.topic ?? ""])
            let expected = try instant(vector.alternatives?[decision])
            #expect(zone.instant(lead, .before, of: zone.instant(of: try local(vector.event))) == expected, "\(vector)")
        }
    }
}
