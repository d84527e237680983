extension CronExpression {
    /// A text that ``parse(_:)`` reads back to an equal expression: numbers without names, and stars where they matter.
    public var description: String {
        var fields = [
            Self.text(minute, 0...59), Self.text(hour, 0...23), Self.text(dayOfMonth, 1...31), Self.text(month, 1...12),
            Self.text(dayOfWeek, 0...6),
        ]
        if let second { fields.insert(Self.text(second, 0...59), at: 0) }
        return fields.joined(separator: " ")
    }

    private static func text(_ field: Field, _ values: ClosedRange<Int>) -> String {
        guard field.isStar else { return list(field.set) }
        // The smallest step whose values all lie in the set. The field was written with a star, so one exists.
        for step in 1...values.count {
            let steps = BitSet64.set(stride(from: values.lowerBound, through: values.upperBound, by: step))
            guard steps & ~field.set == 0 else { continue }
            let rest = field.set & ~steps
            return (step == 1 ? "*" : "*/\(step)") + (rest == 0 ? "" : "," + list(rest))
        }
        return list(field.set)
    }

    private static func list(_ set: UInt64) -> String {
        var items: [String] = []
        var low = set.trailingZeroBitCount
        while low < 64 {
            var high = low
            while high < 63, set >> UInt64(high + 1) & 1 == 1 { high += 1 }
            switch high - low {
            case 0: items.append("\(low)")
            case 1: items += ["\(low)", "\(high)"]
            default: items.append("\(low)-\(high)")
            }
            low = BitSet64.first(in: set, from: high + 1) ?? 64
        }
        return items.joined(separator: ",")
    }
}
