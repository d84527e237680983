import Testing
import TminusCore

struct TZifTests {
    /// A file with these changes and their offsets; the first offset applies before all changes.
    static func file(
        version: UInt8, first: Int32 = 3_600, _ changes: [(Int64, Int32)], footer: String = "", leaps: Int = 0
    ) -> [UInt8] {
        func number(_ value: Int64, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> Int64($0 * 8)) }
        }
        func block(_ size: Int) -> [UInt8] {
            var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
            for count in [0, 0, leaps, changes.count, changes.count + 1, 4] { bytes += number(Int64(count), 4) }
            for change in changes { bytes += number(change.0, size) }
            for index in changes.indices { bytes.append(UInt8(index + 1)) }
            for offset in [first] + changes.map(\.1) { bytes += number(Int64(offset), 4) + [0, 0] }
            bytes += Array("LMT\0".utf8)
            for _ in 0..<leaps { bytes += number(78_796_800, size) + number(1, 4) }
            return bytes
        }
        return version == 0 ? block(4) : block(4) + block(8) + Array("\n\(footer)\n".utf8)
    }

    static let changes: [(Int64, Int32)] = [(0, 7_200), (1_000_000, 3_600), (2_000_000, 0)]

    @Test("versions 1 to 4 are read", arguments: [0, 0x32, 0x33, 0x34] as [UInt8])
    func versions(version: UInt8) throws {
        let zone = try Zone(name: "Test", tzif: Self.file(version: version, Self.changes))
        for (seconds, offset) in [
            (-1, 3_600), (0, 7_200), (999_999, 7_200), (1_000_000, 3_600), (2_000_000, 0), (.max, 0),
        ] {
            #expect(zone.offset(at: Timestamp(seconds: Int64(seconds))) == offset)
        }
    }

    @Test("the footer applies after the table, or alone if the table is empty")
    func footer() throws {
        let table = try Zone(
            name: "Test", tzif: Self.file(version: 0x32, first: 0, Self.changes, footer: "CET-1CEST,M3.5.0,M10.5.0/3"))
        let alone = try Zone(
            name: "Test", tzif: Self.file(version: 0x32, first: 0, [], footer: "CET-1CEST,M3.5.0,M10.5.0/3"))
        for zone in [table, alone] {
            #expect(zone.offset(at: Timestamp(seconds: 8_000_000_000)) == 7_200)
            #expect(zone.offset(at: Timestamp(seconds: 8_010_000_000)) == 3_600)
        }
        #expect(table.offset(at: Timestamp(seconds: -1_000_000_000)) == 0)
    }

    @Test("changes outside the range of instants take effect without being stored")
    func horizon() throws {
        let changes: [(Int64, Int32)] = [(.min, 60), (-(1 << 59), 120), (0, 180), (.max, 240)]
        let zone = try Zone(
            name: "Test", tzif: Self.file(version: 0x32, first: 0, changes, footer: "AAA1BBB,M3.5.0,M10.5.0"))
        #expect(zone.offset(at: .distantPast) == 120)
        #expect(zone.offset(at: .distantFuture) == 180)
    }

    @Test("with changes closer together than their jumps, the first of all instants counts")
    func closeChanges() throws {
        // 00:00 to 01:00 is shown three times in a row.
        let changes: [(Int64, Int32)] = [(3_600, -3_600), (7_200, -7_200), (10_800, -10_800)]
        let zone = try Zone(name: "Test", tzif: Self.file(version: 0x32, first: 0, changes))
        #expect(
            zone.resolve(LocalDateTime(1970, 1, 1, 0, 30))
                == .overlap(first: Timestamp(seconds: 1_800), second: Timestamp(seconds: 12_600)))
        #expect(zone.resolve(LocalDateTime(1969, 12, 31, 23, 59)) == .unique(Timestamp(seconds: -60)))
    }

    @Test("bad data is an error with a reason")
    func badData() {
        let bad: [[UInt8]] = [
            [], Array("TZif".utf8), Array("garbage, but long enough for a header of TZif data".utf8),
            Self.file(version: 0x32, [(10, 0), (10, 60)]), Self.file(version: 0x32, [(10, 0), (5, 60)]),
            Self.file(version: 0x32, [(10, 93_600)]), Self.file(version: 0x32, [(10, .min)]),
            Self.file(version: 0x32, [(10, 0)], footer: "nonsense"), Self.file(version: 0x32, [(10, 0)], leaps: 1),
        ]
        for bytes in bad {
            #expect(throws: ZoneDataError.self) { try Zone(name: "Test", tzif: bytes) }
        }
    }

    @Test("a truncated or corrupted file never makes the process crash")
    func hostile() {
        let good = Self.file(version: 0x32, Self.changes, footer: "CET-1CEST,M3.5.0,M10.5.0/3")
        for end in good.indices {
            #expect(throws: ZoneDataError.self) { try Zone(name: "Test", tzif: Array(good[..<end])) }
        }
        for index in good.indices {
            for value in [0, 1, 0x0A, 0x7F, 0x80, 0xFF] as [UInt8] {
                var bytes = good
                bytes[index] = value
                guard let zone = try? Zone(name: "Test", tzif: bytes) else { continue }
                for seconds in [Int64.min, -1, 0, 1_500_000, 3_000_000_000, .max] {
                    _ = zone.instant(of: zone.local(Timestamp(seconds: seconds)))
                }
            }
        }
    }
}
