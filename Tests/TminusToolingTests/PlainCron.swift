import Foundation
import TminusCore

/// Reads a crontab line independently of the program: it tries every day, or with a zone every minute.
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
    /// Whether the minute or the hour begins with `*`, as that of `@hourly` does.
    private let isWildcard: Bool

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
        isWildcard = words[0].hasPrefix("*") || words[1].hasPrefix("*")
    }

    /// The month and day of each day from 1970-01-01 on.
    private static let days: [(month: Int, day: Int)] = {
        var days: [(month: Int, day: Int)] = []
        var (year, month, day) = (1970, 1, 1)
        while days.count < 200_000 {
            days.append((month, day))
            day += 1
            if day > length(of: month, year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        return days
    }()

    /// The first instants strictly after `start` in UTC.
    func instants(after start: Timestamp, count: Int) -> [Timestamp] {
        let from = Int(start.nanoseconds / 1_000_000_000)
        let times = sets[1].sorted().flatMap { hour in sets[0].sorted().map { hour * 3_600 + $0 * 60 } }
        var result: [Timestamp] = []
        for day in from / 86_400..<Self.days.count where result.count < count && matches(day: day) {
            result += times.map { day * 86_400 + $0 }.filter { $0 > from }.map { Timestamp(seconds: Int64($0)) }
        }
        return Array(result.prefix(count))
    }

    /// The first instants strictly after `start` in a zone whose clock changes by less than three hours, by the rules
    /// of Debian's cron(8). A line with a wildcard runs whenever the clock shows one of its times. Any other line runs
    /// when the clock shows one of its times for the first time, and once right after a change that skips some.
    func instants(after start: Timestamp, count: Int, in zone: TimeZone) -> [Timestamp] {
        func offset(_ minute: Int) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(minute * 60))) / 60
        }
        let from = Int(start.nanoseconds / 1_000_000_000)
        // Two days earlier, because the start may be in a repeated hour.
        let first = from / 3_600 - 48
        var reached = first * 60 + offset(first * 60) - 1
        var result: [Timestamp] = []
        for hour in first..<first + 400 * 24 where result.count < count {
            let (before, after) = (offset(hour * 60), offset(hour * 60 + 60))
            for minute in hour * 60..<hour * 60 + 60 {
                // The look into the zone is slow, and no clock changes twice in an hour.
                let clock = minute + (before == after ? before : offset(minute))
                var runs = isWildcard && matches(minute: clock)
                while reached < clock {
                    reached += 1
                    if !isWildcard, matches(minute: reached) { runs = true }
                }
                if runs, minute * 60 > from { result.append(Timestamp(seconds: Int64(minute * 60))) }
            }
        }
        return Array(result.prefix(count))
    }

    /// Whether a time is one of the line, in minutes that a clock shows since 1970-01-01 00:00.
    private func matches(minute: Int) -> Bool {
        sets[0].contains(minute % 60) && sets[1].contains(minute / 60 % 24) && matches(day: minute / 1_440)
    }

    /// Whether a day is one of the line, in days since 1970-01-01, a Thursday.
    private func matches(day number: Int) -> Bool {
        let (month, day) = Self.days[number]
        guard sets[3].contains(month) else { return false }
        let (isDay, isWeekday) = (sets[2].contains(day), sets[4].contains((number + 4) % 7))
        return isEither ? isDay || isWeekday : isDay && isWeekday
    }

    private static func length(of month: Int, _ year: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}
