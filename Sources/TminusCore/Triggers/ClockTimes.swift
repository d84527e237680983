/// Times of a day: all combinations of hours, minutes and seconds, or those at some ranks in their order.
///
/// With hour 0 alone they are times of an hour; with minute 0 as well, times of a minute.
struct ClockTimes: Sendable, Hashable {
    /// 0 to 23.
    var hours: UInt64
    /// 0 to 59.
    var minutes: UInt64
    /// 0 to 59.
    var seconds: UInt64
    /// Ranks in the order of all combinations, ascending; empty means all combinations.
    var places: [Int] = []

    /// The number of times.
    var count: Int { places.isEmpty ? combinations : places.count }

    /// The number of combinations.
    var combinations: Int { hours.nonzeroBitCount * minutes.nonzeroBitCount * seconds.nonzeroBitCount }

    /// The earliest time, in seconds of the day.
    @inline(__always)
    var earliest: Int {
        places.isEmpty
            ? hours.trailingZeroBitCount * 3_600 + minutes.trailingZeroBitCount * 60 + seconds.trailingZeroBitCount
            : combination(places[0])
    }

    /// The first time at or after a second of the day.
    @inline(__always)
    func first(from time: Int) -> Int? {
        guard places.isEmpty else {
            let rank = combinations(before: time)
            return places.first { $0 >= rank }.map(combination)
        }
        let hour = time / 3_600
        if hours >> UInt64(hour) & 1 == 1 {
            let minute = time / 60 % 60
            if minutes >> UInt64(minute) & 1 == 1, let second = BitSet64.first(in: seconds, from: time % 60) {
                return hour * 3_600 + minute * 60 + second
            }
            if let minute = BitSet64.first(in: minutes, from: minute + 1) {
                return hour * 3_600 + minute * 60 + seconds.trailingZeroBitCount
            }
        }
        guard let hour = BitSet64.first(in: hours, from: hour + 1) else { return nil }
        return hour * 3_600 + minutes.trailingZeroBitCount * 60 + seconds.trailingZeroBitCount
    }

    /// The number of times before a second of the day (86,400 for all).
    func count(before time: Int) -> Int {
        let rank = combinations(before: time)
        return places.isEmpty ? rank : places.count { $0 < rank }
    }

    /// The time with `rank` times before it.
    func element(_ rank: Int) -> Int { combination(places.isEmpty ? rank : places[rank]) }

    private func combinations(before time: Int) -> Int {
        let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
        let (minuteCount, secondCount) = (minutes.nonzeroBitCount, seconds.nonzeroBitCount)
        var count = BitSet64.count(in: hours, below: hour) * minuteCount * secondCount
        guard hour < 24, hours >> UInt64(hour) & 1 == 1 else { return count }
        count += BitSet64.count(in: minutes, below: minute) * secondCount
        guard minutes >> UInt64(minute) & 1 == 1 else { return count }
        return count + BitSet64.count(in: seconds, below: second)
    }

    private func combination(_ rank: Int) -> Int {
        let (minuteCount, secondCount) = (minutes.nonzeroBitCount, seconds.nonzeroBitCount)
        return BitSet64.element(rank / (minuteCount * secondCount), of: hours) * 3_600
            + BitSet64.element(rank / secondCount % minuteCount, of: minutes) * 60
            + BitSet64.element(rank % secondCount, of: seconds)
    }
}
