/// Days of the proleptic Gregorian calendar as day numbers: 0 is 1970-01-01.
package enum CivilDay {
    /// Whether the year has a 29th of February.
    @inlinable
    package static func isLeap(_ year: Int) -> Bool { year & 3 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// The number of days in a month (1 to 12).
    @inlinable
    package static func count(inMonth month: Int, of year: Int) -> Int {
        month == 2 ? (isLeap(year) ? 29 : 28) : 30 + ((month + month >> 3) & 1)
    }

    /// The day number of a date. The month is 1 to 12, the day may lie outside its month, and the year is within ±10
    /// million.
    ///
    /// Years start in March, so a leap day ends its year; 400 years make an era (Howard Hinnant, "chrono-Compatible
    /// Low-Level Date Algorithms").
    @inlinable
    package static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date of a day number, by the same source.
    @inlinable
    package static func date(_ number: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let index = (5 * dayOfYear + 2) / 153
        let month = index < 10 ? index + 3 : index - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * index + 2) / 5 + 1)
    }

    /// The day of the week of a day number: 0 is Sunday.
    @inlinable
    package static func weekday(_ number: Int) -> Int {
        let remainder = (number + 4) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }
}
