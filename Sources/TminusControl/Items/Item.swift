package import TminusCore

/// A definition as it is shown to people and in `--json`: what it is, how it stands, what is next.
///
/// The shape is documented and stable: members are added, never renamed. Viewers count on from `asOf` by themselves.
package struct Item: Sendable, Hashable {
    /// How it stands.
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// An event with an occurrence to come.
        case upcoming
        /// A timer or stopwatch that waits to be started.
        case idle
        /// A timer that counts down, a stopwatch that counts up.
        case running
        /// Held by a person.
        case paused
        /// A timer that waits for the end of its expiry's actions.
        case acting
        /// Nothing is to come.
        case expired
        /// Switched off in its file.
        case disabled
    }

    /// Under which head it is listed.
    package enum Group: String, Sendable, Hashable, CaseIterable {
        case upcoming = "Upcoming"
        case running = "Running"
        case expired = "Expired"
    }

    /// A lap of a stopwatch.
    package struct Lap: Sendable, Hashable {
        /// What stands out about it.
        package enum Mark: String, Sendable, Hashable { case fastest, slowest }

        /// From 1, in the order in which they were run.
        package var number: Int
        /// Its length.
        package var length: Duration
        /// From the start of the stopwatch to its end.
        package var total: Duration
        /// Set where there are two laps or more and they are not all of one length.
        package var mark: Mark?

        package init(number: Int, length: Duration, total: Duration, mark: Mark? = nil) {
            self.number = number
            self.length = length
            self.total = total
            self.mark = mark
        }
    }

    /// The next reminder.
    package struct NextReminder: Sendable, Hashable {
        /// Why it will not be sent: what people have said.
        package enum Silence: String, Sendable, Hashable { case muted, skipped }

        /// When.
        package var due: Timestamp
        /// In words: `1 day before`.
        package var lead: String
        /// Nil if it will be sent.
        package var silence: Silence?

        package init(due: Timestamp, lead: String, silence: Silence? = nil) {
            self.due = due
            self.lead = lead
            self.silence = silence
        }
    }

    /// When this was so: `remaining` and `elapsed` are of this moment.
    package var asOf: Timestamp
    package var id: String
    package var kind: DefinitionKind
    package var name: String
    package var description: String?
    package var labels: [String: String]
    package var color: String?
    package var state: State
    /// The next occurrence, or the last one where none is to come; nil for what is not running.
    package var due: Timestamp?
    /// Until `due`; negative after it. Of a paused timer, what is left of it.
    package var remaining: Duration?
    /// Of a timer its running part, of a stopwatch its time.
    package var elapsed: Duration?
    /// The length of the whole: a timer's duration with what was added, an event's time since its former occurrence or since it
    /// was first seen.
    package var total: Duration?
    /// Newest first; nil for anything but a stopwatch.
    package var laps: [Lap]?
    package var nextReminder: NextReminder?
    /// What people have said about it.
    package var overrides: Overrides
    /// The zone in which its instants are shown.
    package var timezone: String
    /// The file as shown to people; nil for what was made without one.
    package var file: String?
    package var line: Int?

    package init(
        asOf: Timestamp, id: String, kind: DefinitionKind, name: String, description: String? = nil,
        labels: [String: String] = [:], color: String? = nil, state: State, due: Timestamp? = nil,
        remaining: Duration? = nil, elapsed: Duration? = nil, total: Duration? = nil, laps: [Lap]? = nil,
        nextReminder: NextReminder? = nil, overrides: Overrides = Overrides(), timezone: String = "UTC",
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
        self.total = total
        self.laps = laps
        self.nextReminder = nextReminder
        self.overrides = overrides
        self.timezone = timezone
        self.file = file
        self.line = line
    }

    /// The share of the whole that is left, from 1 to 0; nil where there is no whole.
    package var fraction: Double? {
        guard let remaining, let total, total > .zero else { return nil }
        return min(1, max(0, remaining / total))
    }

    /// Under which head it is listed.
    package var group: Group {
        switch state {
        case .upcoming, .idle, .disabled: .upcoming
        case .running, .paused, .acting: .running
        case .expired: .expired
        }
    }
}
