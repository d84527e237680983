/// Reads the Time Zone Information Format, versions 1 to 4 (RFC 9636 section 3). Safe for untrusted bytes.
struct TZif {
    /// The counts of a header, and the length of the data after it.
    private struct Header {
        static let length = 44
        var version: UInt8
        var leapCount: Int
        var timeCount: Int
        var typeCount: Int
        var charCount: Int
        var standardCount: Int
        var utcCount: Int

        func dataLength(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + charCount + leapCount * (timeSize + 4) + standardCount
                + utcCount
        }
    }

    private let bytes: [UInt8]

    /// Decodes a file.
    static func table(_ bytes: [UInt8]) throws(ZoneDataError) -> ZoneTable {
        let file = TZif(bytes: bytes)
        let first = try file.header(at: 0)
        if first.version == 0 { return try file.table(first, at: Header.length, timeSize: 4, rule: nil) }
        // The version 1 block comes first, for old readers; the second block has 64-bit times.
        let start = Header.length + first.dataLength(timeSize: 4)
        let second = try file.header(at: start)
        let data = start + Header.length
        let footer = data + second.dataLength(timeSize: 8)
        return try file.table(second, at: data, timeSize: 8, rule: try file.rule(at: footer))
    }

    private func header(at start: Int) throws(ZoneDataError) -> Header {
        guard start + Header.length <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
            throw ZoneDataError("not a TZif file")
        }
        // The counts have 32 bits, so sums of their products cannot overflow.
        let counts = (0..<6).map { Int(number(at: start + 20 + $0 * 4, size: 4)) & 0xFFFF_FFFF }
        return Header(
            version: bytes[start + 4], leapCount: counts[2], timeCount: counts[3], typeCount: counts[4],
            charCount: counts[5], standardCount: counts[1], utcCount: counts[0])
    }

    private func table(
        _ header: Header, at start: Int, timeSize: Int, rule: PosixZoneRule?
    ) throws(ZoneDataError) -> ZoneTable {
        guard start + header.dataLength(timeSize: timeSize) <= bytes.count else {
            throw ZoneDataError("the TZif file is cut short")
        }
        guard header.leapCount == 0 else {
            throw ZoneDataError("the TZif file counts leap seconds (a 'right' zone), which wall time does not")
        }
        let indices = start + header.timeCount * timeSize
        let types = indices + header.timeCount
        func offset(ofType type: Int) throws(ZoneDataError) -> Int32 {
            guard type < header.typeCount else {
                throw ZoneDataError("the TZif file names a type that it does not have")
            }
            let offset = number(at: types + type * 6, size: 4)
            guard ZoneTable.validOffsets.contains(Int(offset)) else {
                throw ZoneDataError("the TZif file has an offset of more than a day")
            }
            return Int32(offset)
        }

        // Without changes, the rule applies to all time. Otherwise the first type applies before the first change.
        guard header.timeCount > 0 || rule == nil else {
            var table = ZoneTable(offset: rule?.standard ?? 0)
            rule?.extend(&table, after: nil)
            return table
        }
        var table = ZoneTable(offset: try offset(ofType: 0))
        var last: Int64?
        for index in 0..<header.timeCount {
            let instant = number(at: start + index * timeSize, size: timeSize)
            if let last, instant <= last { throw ZoneDataError("the TZif file's changes are not in order") }
            last = instant
            table.append(instant, offset: try offset(ofType: Int(bytes[indices + index])))
        }
        if let last, ZoneTable.horizon.contains(last) || last < 0 {
            rule?.extend(&table, after: max(last, ZoneTable.horizon.lowerBound))
        }
        return table
    }

    /// The footer: a TZ string between two line feeds; it may be empty.
    private func rule(at start: Int) throws(ZoneDataError) -> PosixZoneRule? {
        guard start < bytes.count, bytes[start] == 0x0A, let end = bytes[(start + 1)...].firstIndex(of: 0x0A) else {
            throw ZoneDataError("the TZif file has no footer")
        }
        guard end > start + 1 else { return nil }
        return try PosixZoneRule(String(decoding: bytes[(start + 1)..<end], as: UTF8.self))
    }

    /// A signed big-endian number. The caller has checked the bounds.
    private func number(at start: Int, size: Int) -> Int64 {
        var value: UInt64 = 0
        for byte in bytes[start..<start + size] { value = value << 8 | UInt64(byte) }
        return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }
}
