/// Reads the words of a ``PlainDate``.
struct PlainDateReader {
    private let text: String
    private let now: Timestamp
    private let zone: Zone
    private let direction: PlainDate.Direction
    /// The current local time, without the fraction of the second.
    private let today: LocalDateTime

    init(_ text: String, now: Timestamp, zone: Zone, looking direction: PlainDate.Direction = .ahead) {
        self.direction = direction
        self.text = text
        self.now = now
        self.zone = zone
        today = zone.local(Timestamp(seconds: Int64(now.parts.seconds)))
    }

    /// The date that the text means, in the past or not.
    func read() throws(SpanProblem) -> PlainDate {
        guard text.utf8.count <= 128 else {
            throw SpanProblem("\(text.excerpt) is not a date; \(PlainDateWords.examples)")
        }
        if case .success(let date) = DateTimeText.parse(text) {
            switch date {
            case .local(let local):
                var date = PlainDate(local, in: zone)
                date.isWholeDay = !text.contains(":")
                return date
            case .instant(let instant): return PlainDate(instant, in: zone)
            }
        }
        var words = PlainDateWords.split(text)
        guard let first = words.first else { throw SpanProblem("a date is missing; \(PlainDateWords.examples)") }
        if first.lowercased() == "in" || first.hasPrefix("+") {
            if first.hasPrefix("+") { words[0].removeFirst() } else { words.removeFirst() }
            return try relative(words.filter { !$0.isEmpty })
        }
        var parts = PlainDateParts(text: text)
        var rest = words[...]
        while let word = rest.popFirst() { try parts.take(word.lowercased(), followedBy: &rest) }
        return try date(of: parts)
    }

    /// Reads what follows `in` or `+`: `2h`, `3d`, `2 weeks 9:00`.
    private func relative(_ words: [String]) throws(SpanProblem) -> PlainDate {
        let words = words.filter { $0.lowercased() != "and" }.map { ["a", "an"].contains($0.lowercased()) ? "1" : $0 }
        let whole = CalendarSpan.parse(words.joined(separator: " "))
        if case .success(let span) = whole { return after(span) }
        // The last words may be a time of day.
        for count in 1...2 where words.count > count {
            var parts = PlainDateParts(text: text)
            var rest = words.suffix(count).map { $0.lowercased() }[...]
            guard let word = rest.popFirst(), (try? parts.takeTime(word, followedBy: &rest)) == true, rest.isEmpty,
                let time = parts.time,
                case .success(let span) = CalendarSpan.parse(words.dropLast(count).joined(separator: " "))
            else { continue }
            guard span.nanoseconds == 0 else {
                throw SpanProblem("\(text.excerpt): a time of day can follow days, weeks, months and years only")
            }
            return PlainDate(today.adding(months: span.months, days: span.days).at(time), in: zone)
        }
        return after(try whole.get())
    }

    private func after(_ span: CalendarSpan) -> PlainDate {
        if span.nanoseconds == 0 { return PlainDate(today.adding(months: span.months, days: span.days), in: zone) }
        let instant = zone.instant(span, .after, of: now)
        let seconds = instant.advanced(by: .milliseconds(500)).parts.seconds
        return PlainDate(Timestamp(seconds: Int64(seconds)), in: zone)
    }

    private func date(of parts: PlainDateParts) throws(SpanProblem) -> PlainDate {
        let time = parts.time ?? PlainDateParts.Time(hour: 0, minute: 0, second: 0)
        func candidate(_ day: LocalDateTime) -> PlainDate {
            var date = PlainDate(day.at(time), in: zone)
            date.isWholeDay = parts.time == nil
            return date
        }
        switch parts.day {
        case nil:
            let first = candidate(today)
            switch direction {
            case .ahead: return first.instant > now ? first : candidate(today.adding(months: 0, days: 1))
            case .back: return first.instant <= now ? first : candidate(today.adding(months: 0, days: -1))
            }
        case .offset(let days, let months):
            let day = today.adding(months: months, days: days)
            // `next week` without a time keeps the current time of day.
            return parts.time == nil && parts.keepsClock ? PlainDate(day, in: zone) : candidate(day)
        case .weekday(let weekday, let step):
            let distance = (weekday - today.weekday + 7) % 7
            if direction == .back, step == .coming {
                let last = candidate(today.adding(months: 0, days: distance == 0 ? 0 : distance - 7))
                return last.instant <= now ? last : candidate(today.adding(months: 0, days: -7))
            }
            let first = candidate(today.adding(months: 0, days: distance == 0 && step == .next ? 7 : distance))
            guard first.instant <= now, step == .coming else { return first }
            return candidate(today.adding(months: 0, days: distance + 7))
        case .date(let date):
            return try checked(candidate(date), date, parts)
        case .monthDay(let month, let day):
            return try checked(try coming(month, day, parts, candidate), nil, parts)
        }
    }

    /// The next date with that month and day: this year, next year, or for a leap day within eight years. Looking back,
    /// the last one.
    private func coming(
        _ month: Int, _ day: Int, _ parts: PlainDateParts, _ candidate: (LocalDateTime) -> PlainDate
    ) throws(SpanProblem) -> PlainDate {
        for distance in 0...8 {
            let date = LocalDateTime(today.year + (direction == .back ? -distance : distance), month, day)
            guard date.problem == nil else { continue }
            let result = candidate(date)
            if direction == .back {
                if result.instant <= now { return result }
                continue
            }
            // Today's date without a time means today, although its midnight is past.
            if result.instant > now || parts.time == nil && date.dayNumber == today.dayNumber { return result }
        }
        throw SpanProblem("\(text.excerpt): \(LocalDateTime.monthNames[month - 1]) has no day \(day)")
    }

    /// The date, if the weekday written next to it is right.
    private func checked(
        _ result: PlainDate, _ date: LocalDateTime?, _ parts: PlainDateParts
    ) throws(SpanProblem) -> PlainDate {
        let day = date ?? zone.local(result.instant)
        guard let weekday = parts.besideWeekday, weekday != day.weekday else { return result }
        throw SpanProblem("\(text.excerpt): \(day.dateText) is a \(PlainDateWords.weekdays[day.weekday])")
    }
}

extension LocalDateTime {
    /// That time of day on this day.
    fileprivate func at(_ time: PlainDateParts.Time) -> LocalDateTime {
        LocalDateTime(year, month, day, time.hour, time.minute, time.second)
    }
}
