internal import TminusCore

/// The random ranges of cronie: `low~high` is one value between them, drawn anew whenever the crontab is read.
enum CrontabRandomRange {
    /// The first and last value of each of the five fields.
    private static let limits = [0...59, 0...23, 1...31, 1...12, 0...6]

    /// Whether a schedule has a random range.
    static func isIn(_ schedule: String) -> Bool { schedule.contains("~") }

    /// The schedule with one value for each random range. The value depends on `seed` only, so that a second import
    /// gives the same.
    ///
    /// Returns nil if a bound of the range is neither missing nor a number that the field allows.
    static func fixed(_ schedule: String, seed: String) -> String? {
        let fields = schedule.split(separator: " ")
        guard fields.count == limits.count else { return nil }
        var result: [String] = []
        for (index, field) in fields.enumerated() {
            var items: [String] = []
            for item in field.split(separator: ",", omittingEmptySubsequences: false) {
                guard item.contains("~") else {
                    items.append(String(item))
                    continue
                }
                guard let value = value(item, in: limits[index], seed: "\(seed) \(index) \(items.count)") else {
                    return nil
                }
                items.append(String(value))
            }
            result.append(items.joined(separator: ","))
        }
        return result.joined(separator: " ")
    }

    private static func value(_ item: Substring, in limits: ClosedRange<Int>, seed: String) -> Int? {
        let ends = item.split(separator: "~", omittingEmptySubsequences: false)
        guard ends.count == 2, let low = ends[0].isEmpty ? limits.lowerBound : Int(ends[0]),
            let high = ends[1].isEmpty ? limits.upperBound : Int(ends[1]),
            low <= high, limits.contains(low), limits.contains(high),
            let number = UInt64(Digest128.hexadecimal(of: Array(seed.utf8)).prefix(12), radix: 16)
        else { return nil }
        return low + Int(number % UInt64(high - low + 1))
    }
}
