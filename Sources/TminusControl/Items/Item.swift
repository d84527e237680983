package import TminusCore

/// A definition with its current state, as shown to users and in `--json`.
///
/// The JSON form is documented and stable: members are added, never renamed. Viewers keep counting from `asOf` by
/// themselves.
package struct Item: Sendable, Hashable {
    /// The state of an item.
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// An event with an occurrence in the future.
        case upcoming
        /// A timer or stopwatch that is not started.
        case idle
        /// A timer that counts down or a stopwatch that counts up.
        case running
        /// A timer or stopwatch that a user paused.
        case paused
        /// A timer that waits until its expiry's actions end.
        case acting
        /// No occurrence is left.
        case expired
        /// Disabled in its file.
        case disabled
    }

    /// The group an item is listed in.
    package enum Group: String, Sendable, Hashable, CaseIterable {
        case upcoming = "Upcoming"
        case running = "Running"
        case expired = "Expired"
    }

    /// A lap of a stopwatch.
    package struct Lap: Sendable, Hashable {
        /// The mark of an extreme lap.
        package enum Mark: String, Sendable, Hashable { case fastest, slowest }

        /// The number of the lap, from 1 in chronological order.
        package var number: Int
        /// The duration of the lap.
        package var length: Duration
        /// The stopwatch's time at the end of the lap.
        package var total: Duration
        /// Set if there are at least two laps of different lengths.
        package var mark: Mark?

        /// Creates a lap.
        package init(number: Int, length: Duration, total: Duration, mark: Mark? = nil) {
            self.number = number
            self.length = length
            self.total = total
            self.mark = mark
        }
    }

    /// The next reminder.
    package struct NextReminder: Sendable, Hashable {
        /// The override that suppresses the reminder.
        package enum Silence: String, Sendable, Hashable { case muted, skipped }

        /// The instant it is due.
        package var due: Timestamp
        /// The lead time in words: `1 day before`.
        package var lead: String
        /// The nominal length of the lead, with months of 30 days; nil unless the reminder is before its occurrence.
        package var length: Duration?
        /// The reason why it is not sent, nil if it is.
        package var silence: Silence?

        /// Creates a reminder.
        package init(due: Timestamp, lead: String, length: Duration? = nil, silence: Silence? = nil) {
            self.due = due
            self.lead = lead
            self.length = length
            self.silence = silence
        }
    }

    /// How an action ended.
    package struct LastOutcome: Sendable, Hashable {
        /// When it was due.
        package var due: Timestamp
        /// The stored form of the action: `expiry`, `before:P1D`.
        package var action: String
        /// The outcome: `open`, `delivered`, `failed`, `missed` or `skipped`.
        package var end: String
        /// The code of the reason, unless it is delivered or open: ``ReasonCode``.
        package var reason: String?
        /// The reason in words.
        package var message: String?

        /// Creates an outcome.
        package init(due: Timestamp, action: String, end: String, reason: String? = nil, message: String? = nil) {
            self.due = due
            self.action = action
            self.end = end
            self.reason = reason
            self.message = message
        }

        /// Creates the outcome of an entry of the history.
        package init(_ entry: HistoryEntry) {
            let answer = HistoryAnswer(entry)
            self.init(
                due: entry.due, action: entry.action, end: answer.end, reason: answer.reason, message: answer.message)
        }
    }

    /// The instant of this state, to which `remaining` and `elapsed` refer.
    package var asOf: Timestamp
    /// The definition's id.
    package var id: String
    /// Event, timer or stopwatch.
    package var kind: DefinitionKind
    /// The display name.
    package var name: String
    /// The description.
    package var description: String?
    /// The labels, by key.
    package var labels: [String: String]
    /// The colour given in the definition.
    package var color: String?
    /// The state at ``asOf``.
    package var state: State
    /// The next occurrence, or the last one if none is left; nil if nothing is running.
    package var due: Timestamp?
    /// The time until `due`, negative after it; a paused timer's remaining time.
    package var remaining: Duration?
    /// The time that a timer or stopwatch has run; never negative.
    package var elapsed: Duration?
    /// How far the clock is before the start of a countdown, or before what an event has already processed, because it was
    /// set back; nil if it is not.
    package var clockBehind: Duration?
    /// The total length: a timer's duration including additions, or the time from an event's previous occurrence, or
    /// from when it was first seen, to the next.
    package var total: Duration?
    /// The laps, newest first; nil unless it is a stopwatch.
    package var laps: [Lap]?
    /// The next reminder, if there is one.
    package var nextReminder: NextReminder?
    /// The mute, skip and snooze in force.
    package var overrides: Overrides
    /// Its deliveries that are retried or dead; nil if there are none.
    package var undelivered: UndeliveredCount?
    /// How the last action ended that was due; nil if there was none, or if neither a viewer nor a request asks for it.
    package var lastOutcome: LastOutcome?
    /// The IANA name of the zone for its local times.
    package var timezone: String
    /// The path of the definition's file, as shown to users; nil for an ad-hoc item.
    package var file: String?
    /// The line of the definition, from 1.
    package var line: Int?

    /// Creates an item from its members.
    package init(
        asOf: Timestamp, id: String, kind: DefinitionKind, name: String, description: String? = nil,
        labels: [String: String] = [:], color: String? = nil, state: State, due: Timestamp? = nil,
        remaining: Duration? = nil, elapsed: Duration? = nil, clockBehind: Duration? = nil, total: Duration? = nil,
        laps: [Lap]? = nil, nextReminder: NextReminder? = nil, overrides: Overrides = Overrides(),
        undelivered: UndeliveredCount? = nil, lastOutcome: LastOutcome? = nil, timezone: String = "UTC",
        file: String? = nil, line: Int? = nil
    ) {
        self.asOf = asOf
        self.id = id
        self.kind = kind
        self.name = name
        self.description = description
        self.labels = labels
        self.color = color
        self.state = state
        self.due = due
        self.remaining = remaining
        self.elapsed = elapsed
        self.clockBehind = clockBehind
        self.total = total
        self.laps = laps
        self.nextReminder = nextReminder
        self.overrides = overrides
        self.undelivered = undelivered
        self.lastOutcome = lastOutcome
        self.timezone = timezone
        self.file = file
        self.line = line
    }

    /// The share of the total that is left, from 1 down to 0; nil without a total.
    package var fraction: Double? {
        guard let remaining, let total, total > .zero else { return nil }
        return min(1, max(0, remaining / total))
    }

    /// The group an item is listed in.
    package var group: Group {
        switch state {
        case .upcoming, .idle, .disabled: .upcoming
        case .running, .paused, .acting: .running
        case .expired: .expired
        }
    }
}
