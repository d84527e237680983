/// An instant that a person wrote in plain words, with what the clock of a zone shows then.
package struct PlainDate: Sendable, Hashable {
    /// What was done about a clock time that the zone does not show exactly once.
    package enum Note: Sendable, Hashable {
        /// The clock skips this time; the instant is later by the length of the gap.
        case skipped(LocalDateTime)
        /// The clock shows this time twice; the instant is the first.
        case repeated(LocalDateTime)
    }

    /// The instant, on a whole second unless a fraction was written.
    package var instant: Timestamp
    /// The zone on whose clock it was read.
    package var zone: Zone
    /// What was done about a clock time that does not exist or exists twice.
    package var note: Note?

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

    /// An instant that no clock time had to be resolved for.
    package init(_ instant: Timestamp, in zone: Zone) {
        self.instant = instant
        self.zone = zone
    }

    /// Reads the plain words for an instant after `now`, on the clock of a zone.
    ///
    /// The forms, of which the parts may change places and small letters do not matter:
    /// - `today`, `tomorrow`, a weekday (`fri`), `next monday`, `this friday`, `2026-12-01`, `dec 24`, `24 dec 2026`, with or
    ///   without a time; without one it is midnight, at the beginning of the day;
    /// - a time: `9:00`, `09:00:30`, `9am`, `9:30 pm`, `noon`, `midnight`; alone it is the next one;
    /// - `in 2h`, `+3d`, `in 2 weeks 9:00`: months and days are counted on the calendar, hours and less are exact;
    /// - `next week`, `next month`, `next year`; every form of ``DateTimeText``, also with an offset.
    ///
    /// A weekday and a date without a year are the next that is still to come, a weekday of today included; `next` excludes
    /// today. Errors: what is not understood, a date that does not exist, a year outside ``LocalDateTime/years``, and, unless `allowsPast`, an instant that is not
    /// after `now`; the message says which instant was understood.
    package static func parse(
        _ text: String, now: Timestamp, zone: Zone, allowsPast: Bool = false
    ) -> Result<PlainDate, SpanProblem> {
        do throws(SpanProblem) {
            let date = try PlainDateReader(text, now: now, zone: zone).read()
            if let problem = zone.local(date.instant).problem { throw SpanProblem("\(text.excerpt): \(problem)") }
            if date.instant <= now, !allowsPast {
                throw SpanProblem("\(text.excerpt) is in the past: understood as \(date.text(now: now))")
            }
            return .success(date)
        } catch {
            return .failure(error)
        }
    }

    /// For people: `Tue 1 December 2026, 09:00 Europe/Berlin (in 10 days)`, and what daylight saving did to it.
    package func text(now: Timestamp) -> String {
        let local = zone.local(instant)
        let month = LocalDateTime.monthNames[local.month - 1]
        let words = RemainingText.words(now.duration(to: instant).nanoseconds)
        let distance = instant >= now ? "in \(words)" : words.hasSuffix("ago") ? words : "\(words) ago"
        return
            "\(local.weekdayName) \(local.day) \(month) \(local.year), \(local.shortTimeText) \(zone.name) (\(distance))"
            + noteText
    }

    private var noteText: String {
        switch note {
        case nil: ""
        case .skipped(let local): "; the clock skips \(local.shortTimeText) on that day"
        case .repeated(let local): "; the clock shows \(local.shortTimeText) twice on that day, this is the first"
        }
    }

    /// As one would write it under `at` or `start`: `2026-12-01 09:00` on the clock of the zone; with an offset where the
    /// clock time would stand for another instant.
    package var written: String {
        let local = zone.local(instant)
        guard zone.instant(of: local) != instant else { return "\(local.dateText) \(local.shortTimeText)" }
        return instant.rfc3339(in: zone).replacing(".000", with: "", maxReplacements: 1)
    }
}
