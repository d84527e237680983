/// An instant that a user wrote in plain words, with the zone it was read in.
package struct PlainDate: Sendable, Hashable {
    /// How a local time was resolved that the zone skips or repeats.
    package enum Note: Sendable, Hashable {
        /// The clock skips this time; the instant is later by the length of the gap.
        case skipped(LocalDateTime)
        /// The clock shows this time twice; the instant is the first.
        case repeated(LocalDateTime)
    }

    /// Which of several dates with the same words is meant.
    package enum Direction: Sendable, Hashable {
        /// The next one.
        case ahead
        /// The last one.
        case back
    }

    /// The instant; a whole second unless a fraction was written.
    package var instant: Timestamp
    /// The zone in which it was read.
    package var zone: Zone
    /// How a skipped or repeated local time was resolved; nil for an ordinary one.
    package var note: Note?
    /// Whether a day was written without a time; the instant is its first.
    package var isWholeDay = false

    /// The instant of a local time, by the policy ``LocalResolution/compatible``.
    init(_ local: LocalDateTime, in zone: Zone) {
        let resolution = zone.resolve(local)
        instant = resolution.compatible
        self.zone = zone
        note =
            switch resolution {
            case .unique: nil
            case .gap: .skipped(local)
            case .overlap: .repeated(local)
            }
    }

    /// An instant that needed no local time to be resolved.
    package init(_ instant: Timestamp, in zone: Zone) {
        self.instant = instant
        self.zone = zone
    }

    /// Reads the plain words for an instant after `now`, in a zone.
    ///
    /// Parts may come in any order, and case does not matter. The forms:
    /// - `today`, `tomorrow`, `yesterday`, a weekday (`fri`), `next monday`, `this friday`, `2026-12-01`, `dec 24`,
    ///   `24 dec 2026`, with or without a time; without one, midnight at the beginning of the day;
    /// - a time: `9:00`, `09:00:30`, `9am`, `9:30 pm`, `noon`, `midnight`; alone it means the next such time;
    /// - `in 2h`, `+3d`, `in 2 weeks 9:00`: months and days are counted on the calendar, hours and smaller units are
    ///   exact;
    /// - `next week`, `next month`, `next year`; every form of ``DateTimeText``, also with an offset.
    ///
    /// A weekday and a date without a year mean the next one, including today; `next` excludes today. Looking back, they
    /// and a time alone mean the last one. Errors: unknown words, a date that does not exist, a year outside
    /// ``LocalDateTime/years``, and, unless `allowsPast`, an instant that is not after `now`. In that case the message
    /// contains the instant.
    package static func parse(
        _ text: String, now: Timestamp, zone: Zone, allowsPast: Bool = false, looking direction: Direction = .ahead
    ) -> Result<PlainDate, SpanProblem> {
        do throws(SpanProblem) {
            let date = try PlainDateReader(text, now: now, zone: zone, looking: direction).read()
            if let problem = zone.local(date.instant).problem { throw SpanProblem("\(text.excerpt): \(problem)") }
            if date.instant <= now, !allowsPast {
                throw SpanProblem("\(text.excerpt) is in the past: understood as \(date.text(now: now))")
            }
            return .success(date)
        } catch {
            return .failure(error)
        }
    }

    /// For display: `Tue 1 December 2026, 09:00 Europe/Berlin (in 10 days)`, and a note if daylight saving affects the
    /// time.
    package func text(now: Timestamp) -> String {
        let words = RemainingText.words(now.duration(to: instant).nanoseconds)
        let distance = instant >= now ? "in \(words)" : words.hasSuffix("ago") ? words : "\(words) ago"
        return "\(dateText) (\(distance))\(noteText)"
    }

    /// The same without the distance from now.
    package var text: String { dateText + noteText }

    /// The same for a bound, where a day without a time stands for the whole day.
    package var boundText: String { isWholeDay ? "\(dayText), the whole day, \(zone.name)" : text }

    private var dateText: String { "\(dayText), \(zone.local(instant).shortTimeText) \(zone.name)" }

    private var dayText: String {
        let local = zone.local(instant)
        return "\(local.weekdayName) \(local.day) \(LocalDateTime.monthNames[local.month - 1]) \(local.year)"
    }

    private var noteText: String {
        switch note {
        case nil: ""
        case .skipped(let local): "; the clock skips \(local.shortTimeText) on that day"
        case .repeated(let local): "; the clock shows \(local.shortTimeText) twice on that day, this is the first"
        }
    }

    /// The form to write under `at` or `start`: `2026-12-01 09:00` as local time, with an offset where the local time
    /// alone would mean another instant.
    package var written: String {
        let local = zone.local(instant)
        guard zone.instant(of: local) != instant else { return "\(local.dateText) \(local.shortTimeText)" }
        return instant.rfc3339(in: zone).replacing(".000", with: "", maxReplacements: 1)
    }

    /// The form to write under `until` or `except`, where a day without a time stands for the whole day.
    package var writtenBound: String { isWholeDay ? zone.local(instant).dateText : written }
}
