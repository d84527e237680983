extension Timestamp {
    /// RFC 3339 in UTC with milliseconds, or with nanoseconds if needed: `2026-12-01T08:00:00.000Z`.
    public var rfc3339: String { text(offset: 0, suffix: nil) }

    /// RFC 3339 with the offset of the zone: `2026-12-01T09:00:00.000+01:00`.
    ///
    /// An offset with seconds, as in the time before zones were standardized, is rounded to the minute; the local time
    /// matches the rounded offset.
    public func rfc3339(in zone: Zone) -> String {
        let seconds = zone.offset(at: self)
        let minutes = (seconds.magnitude + 30) / 60
        return text(
            offset: (seconds < 0 ? -1 : 1) * Int(minutes) * 60, suffix: (seconds < 0 && minutes > 0, Int(minutes)))
    }

    /// Reads an instant in RFC 3339 as a program writes it, in the whole range of a ``Timestamp``; nil for any other
    /// text.
    ///
    /// Text from users goes through ``DateTimeText/parse(_:)``, which checks the range.
    package init?(rfc3339 text: String) {
        guard case .success(.instant(let instant)) = DateTimeText.parse(text, years: ZoneTable.years) else {
            return nil
        }
        self = instant
    }

    /// The whole seconds since the epoch, towards the past, and the nanoseconds of the rest.
    var parts: (seconds: Int, nanosecond: Int) {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return remainder < 0 ? (Int(quotient) - 1, Int(remainder) + 1_000_000_000) : (Int(quotient), Int(remainder))
    }

    private func text(offset: Int, suffix: (isWest: Bool, minutes: Int)?) -> String {
        let (seconds, nanosecond) = parts
        let local = LocalDateTime(epochSeconds: seconds + offset, nanosecond: nanosecond)
        return String(unsafeUninitializedCapacity: 40) { buffer in
            var count = 0
            func put(_ character: Unicode.Scalar) {
                buffer[count] = UInt8(ascii: character)
                count += 1
            }
            func put(_ number: Int, _ width: Int) {
                var rest = number
                for index in stride(from: count + width - 1, through: count, by: -1) {
                    buffer[index] = 0x30 + UInt8(rest % 10)
                    rest /= 10
                }
                count += width
            }
            put(local.year, 4)
            put("-")
            put(local.month, 2)
            put("-")
            put(local.day, 2)
            put("T")
            put(local.hour, 2)
            put(":")
            put(local.minute, 2)
            put(":")
            put(local.second, 2)
            put(".")
            if nanosecond % 1_000_000 == 0 { put(nanosecond / 1_000_000, 3) } else { put(nanosecond, 9) }
            if let suffix {
                put(suffix.isWest ? "-" : "+")
                put(suffix.minutes / 60, 2)
                put(":")
                put(suffix.minutes % 60, 2)
            } else {
                put("Z")
            }
            return count
        }
    }
}
