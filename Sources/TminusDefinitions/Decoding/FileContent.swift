import TminusCore

/// What a file holds once it is decoded.
struct FileContent {
    /// A definition and the place of its id.
    struct Item {
        /// The definition, all defaults applied.
        let definition: Definition
        /// How many columns its id takes. Where it begins the definition knows.
        private let width: UInt32

        /// A definition whose id stands at `range`, which is where it comes from.
        init(definition: Definition, range: SourceRange) {
            self.definition = definition
            width =
                range.start.line == range.end.line
                ? UInt32(clamping: range.end.column - range.start.column) : 1
        }

        /// Where its id stands, or the beginning of it if that is on several lines.
        var range: SourceRange {
            let start = SourceMark(line: definition.origin.line, column: definition.origin.column)
            return SourceRange(start: start, end: SourceMark(line: start.line, column: start.column + Int(width)))
        }
    }

    /// A sink that the file declares.
    struct DeclaredSink {
        /// The sink.
        var spec: SinkSpec
        /// Where its id stands.
        var range: SourceRange
    }

    /// In the order of the file.
    var items: [Item] = []
    /// By id.
    var sinks: [String: DeclaredSink] = [:]
    /// The sinks that no file declares: those written inside actions, and the built-in ones that actions name.
    var undeclared: [SinkKey: SinkSpec] = [:]
    /// The sinks of other files that actions name, by id.
    var foreign: Set<String> = []
}

/// The sinks that the files of the directory declare, as far as actions need to know of them.
struct SinkNames: Equatable {
    /// Those that an action may name.
    var known: Set<String> = []
    /// Those whose declaration has errors, with the file that it is in.
    var broken: [String: String] = [:]
    /// The files of which it is not known what they declare.
    var unread: [String] = []
    /// Whether other files are not looked at.
    var isAlone = false
}

/// What holds where a definition does not say otherwise.
struct Defaults: Equatable {
    /// The zone; nil: that of the machine.
    var zone: Zone?
    /// Texts that are added to the labels of each definition.
    var labels: [String: String] = [:]
    /// Lead times.
    var remind: [ReminderItem]?
    /// Where reminders go.
    var onReminder: [SinkKey]?
    /// Where expiries go.
    var onExpiry: [SinkKey]?
    /// Where the alerts of stopwatches go.
    var onElapsed: [SinkKey]?
    /// What happens to occurrences that came due while nobody could act.
    var catchUp: CatchUp?
    /// How late is still useful.
    var grace: Duration?
    /// What is done about clock times that a zone skips or shows twice.
    var daylightSaving: DaylightSaving?
    /// By how much the expiries of events may be moved.
    var jitter: Duration?
    /// The clock that timers count by.
    var clock: Timer.Clock?
    /// Where failures are told.
    var onFailure: [SinkKey]?
    /// What becomes of an action while an earlier one is not over.
    var overlap: Overlap?
}

/// One item of `remind`.
struct ReminderItem: Equatable {
    /// How far from the occurrence.
    var lead: CalendarSpan
    /// On which side of it.
    var side: Reminder.Side
    /// Its own `do`; nil: the list of `on-reminder`.
    var actions: [SinkKey]?
}

extension Node {
    /// The same content without marks, so that moving lines changes nothing.
    var withoutMarks: Node {
        switch content {
        case .scalar, .null: Node(content)
        case .sequence(let items): Node(.sequence(items.map(\.withoutMarks)))
        case .mapping(let entries):
            Node(.mapping(entries.map { Node.Entry(key: $0.key, value: $0.value.withoutMarks) }))
        }
    }
}
