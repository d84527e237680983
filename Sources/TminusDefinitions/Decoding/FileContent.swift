import TminusCore

/// The decoded content of a file.
struct FileContent {
    /// A definition and the range of its id.
    struct Item {
        /// The definition, with all defaults applied.
        let definition: Definition
        /// The number of columns of the id; the definition itself knows where it begins.
        private let width: UInt32

        /// Creates an item whose id has that range, which is also the origin of the definition.
        init(definition: Definition, range: SourceRange) {
            self.definition = definition
            width =
                range.start.line == range.end.line
                ? UInt32(clamping: range.end.column - range.start.column) : 1
        }

        /// The range of the id, or its first position if it spans several lines.
        var range: SourceRange {
            let start = SourceMark(line: definition.origin.line, column: definition.origin.column)
            return SourceRange(start: start, end: SourceMark(line: start.line, column: start.column + Int(width)))
        }
    }

    /// A sink that the file declares.
    struct DeclaredSink {
        /// The sink.
        var spec: SinkSpec
        /// The range of its id.
        var range: SourceRange
    }

    /// The definitions in the order of the file.
    var items: [Item] = []
    /// The declared sinks by id.
    var sinks: [String: DeclaredSink] = [:]
    /// The sinks that no file declares: inline sinks of actions, and the built-in sinks that actions name.
    var undeclared: [SinkKey: SinkSpec] = [:]
    /// The ids of sinks that actions name and other files declare.
    var foreign: Set<String> = []
}

/// The sinks that the files of the directory declare, as needed to check actions.
struct SinkNames: Equatable {
    /// The names that an action may use.
    var known: Set<String> = []
    /// The names of sinks whose declaration has errors, with the file of the declaration.
    var broken: [String: String] = [:]
    /// The files whose declared sinks are unknown.
    var unread: [String] = []
    /// Whether the other files of the directory are ignored.
    var isAlone = false
}

/// The defaults of definitions.
struct Defaults: Equatable {
    /// The zone; nil means the zone of the machine.
    var zone: Zone?
    /// Labels that are added to every definition.
    var labels: [String: String] = [:]
    /// The reminders.
    var remind: [ReminderItem]?
    /// The sinks of reminders.
    var onReminder: [SinkKey]?
    /// The sinks of expiries.
    var onExpiry: [SinkKey]?
    /// The sinks of the alerts of stopwatches.
    var onElapsed: [SinkKey]?
    /// How missed occurrences are handled.
    var catchUp: CatchUp?
    /// How late an expiry is still useful.
    var grace: Duration?
    /// How skipped and repeated clock times are handled.
    var daylightSaving: DaylightSaving?
    /// The maximum jitter of events.
    var jitter: Duration?
    /// The clock of timers.
    var clock: Timer.Clock?
    /// The sinks of failure reports.
    var onFailure: [SinkKey]?
    /// What happens to an action while an earlier one is pending.
    var overlap: Overlap?
}

/// One item of `remind`.
struct ReminderItem: Equatable {
    /// The distance from the occurrence.
    var lead: CalendarSpan
    /// Whether it is before or after the occurrence.
    var side: Reminder.Side
    /// The sinks of its own `do`; nil means the list of `on-reminder`.
    var actions: [SinkKey]?
}

extension Node {
    /// The same content without ranges, so that moving lines does not count as a change.
    var withoutMarks: Node {
        switch content {
        case .scalar, .null: Node(content)
        case .sequence(let items): Node(.sequence(items.map(\.withoutMarks)))
        case .mapping(let entries):
            Node(.mapping(entries.map { Node.Entry(key: $0.key, value: $0.value.withoutMarks) }))
        }
    }
}
