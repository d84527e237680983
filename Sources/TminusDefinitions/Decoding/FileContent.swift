import TminusCore

/// What a file holds once it is decoded.
struct FileContent {
    /// A definition and the place of its id.
    struct Item {
        /// The definition, all defaults applied.
        var definition: Definition
        /// Where its id stands.
        var range: SourceRange
        /// The named sinks that it uses and that its own file declares.
        var ownSinks: Set<String> = []
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
    /// Every sink that an action of the file names, its own and those of the root file too.
    var used: [SinkKey: SinkSpec] = [:]
}

/// What the file `tminus.yaml` at the root gives to all others.
struct Shared: Equatable {
    /// Its `defaults`.
    var defaults = Defaults()
    /// Its sinks by id.
    var sinks: [String: SinkSpec] = [:]
    /// It has errors and no good content, so that nothing is known of its sinks.
    var isBroken = false
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
    var onReminder: [SinkUse]?
    /// Where expiries go.
    var onExpiry: [SinkUse]?
}

/// One item of `remind`.
struct ReminderItem: Equatable {
    /// How far from the occurrence.
    var lead: CalendarSpan
    /// On which side of it.
    var side: Reminder.Side
    /// Its own `do`; nil: the list of `on-reminder`.
    var actions: [SinkUse]?
}

/// An action: a sink, and whether it is one that the file itself declares.
struct SinkUse: Equatable {
    /// What the delivery is addressed to.
    var key: SinkKey
    /// The sink.
    var spec: SinkSpec
    /// Whether the file declares it under `sinks`.
    var isOwn: Bool
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
