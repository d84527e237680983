import Foundation
import Testing
import TminusCore

/// The duration vectors; `Vectors/README.md` describes their families.
struct SpanVectorTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        var duration: String
        var seconds: Double?
        var testDescription: String { "'\(duration)'" }
    }

    static func vectors(_ name: String) throws -> [Vector] {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "jsonl", subdirectory: "Vectors"))
        return try Data(contentsOf: url).split(separator: 0x0A).map {
            try JSONDecoder().decode(Vector.self, from: Data($0))
        }
    }

    @Test("every valid duration has its length, also as a lead time without years")
    func valid() throws {
        let vectors = try Self.vectors("duration_valid")
        #expect(vectors.count == 169)
        for vector in vectors {
            let expected = Duration.microseconds(Int64(((vector.seconds ?? -1) * 1e6).rounded()))
            #expect(try CalendarSpan.parseDuration(vector.duration).get() == expected, "\(vector.duration)")
            let lead = try CalendarSpan.parse(vector.duration).get()
            #expect(lead.months > 0 || lead.exactDuration == expected, "\(vector.duration)")
        }
    }

    @Test("every invalid duration is an error with a message, in both meanings")
    func invalid() throws {
        let vectors = try Self.vectors("duration_invalid")
        #expect(vectors.count == 47)
        for vector in vectors {
            #expect(throws: SpanProblem.self, "\(vector.duration)") { try CalendarSpan.parse(vector.duration).get() }
            #expect(throws: SpanProblem.self, "\(vector.duration)") {
                try CalendarSpan.parseDuration(vector.duration).get()
            }
        }
    }

    /// Deliberate choices: systemd's reading if there is one; a unit is always required; calendar units only where
    /// there is a calendar.
    static let open: [(text: String, seconds: Double?, lead: String?)] = [
        ("5M", 13_149_000, "P5M"), ("an hour", nil, nil), ("P1Y2M3DT4H", nil, "P1Y2M3DT4H"), ("P1Y", nil, "P1Y"),
        ("1 HOUR", nil, nil), ("1W", nil, nil), ("5 Minutes", nil, nil), ("1h, 30m", nil, nil), ("2 wks", nil, nil),
        ("5 mins", nil, nil), ("P0.5D", 43_200, "PT12H"), ("P1.5W", 907_200, "P10DT12H"), ("1h 30", nil, nil),
        ("p1d", nil, nil), ("1 nsec", nil, nil), ("1.h", nil, nil), (".5h", 1_800, "PT30M"), ("PT.5S", nil, nil),
        ("1.5 months", 3_944_700, nil), ("1month 1day", 2_716_200, "P1M1D"), ("1month", 2_629_800, "P1M"),
        ("2 months", 5_259_600, "P2M"), ("6 months", 15_778_800, "P6M"), ("1 month", 2_629_800, "P1M"),
        ("+5m", 300, "PT5M"), ("1h 1h", 7_200, "PT2H"), ("1 30", nil, nil), ("P1W2D", 777_600, "P9D"),
        ("about 1h", nil, nil), ("0", nil, nil), ("P0D", 0, nil),
    ]

    @Test("every open question has the answer that was decided")
    func openQuestions() throws {
        #expect(try Set(Self.vectors("duration_open").map(\.duration)) == Set(Self.open.map(\.text)))
        for (text, seconds, lead) in Self.open {
            let expected = seconds.map { Duration.seconds(Int64($0)) }
            #expect((try? CalendarSpan.parseDuration(text).get()) == expected, "\(text)")
            #expect((try? CalendarSpan.parse(text).get().iso8601) == lead, "\(text)")
        }
    }
}
