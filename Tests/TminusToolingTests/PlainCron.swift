import TminusCore

/// An independent reading of a crontab line in UTC: sets of numbers, and every day looked at.
struct PlainCron {
    private static let macros = [
        "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
        "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
    ]
    private static let names = [
        3: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
        4: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
    ]

    private let sets: [Set<Int>]
    private let isEither: Bool

    init?(_ line: String) {
        var words = line.split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
        guard let first = words.first else { return nil }
        if let macro = Self.macros[first] { words = macro.split(separator: " ").map(String.init) + words.dropFirst() }
        guard words.count > 4 else { return nil }
        let limits = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]
        var sets: [Set<Int>] = []
        for (index, (low, high)) in limits.enumerated() {
            func number(_ text: String) -> Int? {
                if let place = Self.names[index]?.firstIndex(of: text) { return place + (index == 3 ? 1 : 0) }
                return Int(text)
            }
            var set: Set<Int> = []
            for item in words[index].split(separator: ",") {
                let parts = item.split(separator: "/").map(String.init)
                let ends = parts[0].split(separator: "-").map(String.init)
                let step = parts.count > 1 ? Int(parts[1]) ?? 0 : 1
                let from = parts[0] == "*" ? low : number(ends[0])
                let to = parts[0] == "*" ? (index == 4 ? 6 : high) : number(ends.last ?? "")
                guard let from, let to, step > 0 else { return nil }
                for value in Swift.stride(from: from, through: to, by: step) {
                    set.insert(index == 4 ? value % 7 : value)
                }
            }
            sets.append(set)
        }
        self.sets = sets
        isEither = !words[2].hasPrefix("*") && !words[4].hasPrefix("*")
    }

    /// The first instants strictly after `start`, from the calendar of days since 1970-01-01, a Thursday.
    func instants(after start: Timestamp, count: Int) -> [Timestamp] {
        let from = Int(start.nanoseconds / 1_000_000_000)
        var result: [Timestamp] = []
        var (year, month, day) = (1970, 1, 1)
        for number in 0..<200_000 where result.count < count {
            if number >= from / 86_400, matches(month, day, weekday: (number + 4) % 7) {
                let times = sets[1].sorted().flatMap { hour in sets[0].sorted().map { hour * 3_600 + $0 * 60 } }
                result += times.map { number * 86_400 + $0 }.filter { $0 > from }
                    .map { Timestamp(seconds: Int64($0)) }
            }
            day += 1
            if day > Self.length(of: month, year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        return Array(result.prefix(count))
    }

    private func matches(_ month: Int, _ day: Int, weekday: Int) -> Bool {
        guard sets[3].contains(month) else { return false }
        let (isDay, isWeekday) = (sets[2].contains(day), sets[4].contains(weekday))
        return isEither ? isDay || isWeekday : isDay && isWeekday
    }

    private static func length(of month: Int, _ year: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}
