extension Definition {
    struct Fields: Sendable, Hashable {
        var id: DefinitionID
        var schedule: Schedule
        var name: String
        var description: String?
        var shared: Shared
        /// The line and the column in the file.
        var line: UInt32
        var column: UInt32
    }

    /// The values that many definitions have in common.
    struct SharedValues: Sendable, Hashable {
        var color: String?
        var labels: [String: String]
        var isEnabled: Bool
        var reminders: [Reminder]
        var onExpiry: [SinkKey]
        var onElapsed: [SinkKey]
        var onFailure: [SinkKey]
        var overlap: Overlap?
        var catchUp: CatchUp
        var grace: Duration
        var zone: Zone
        var file: String
    }

    /// An immutable object, so that definitions with equal values can share it.
    final class Shared: Sendable, Hashable {
        let values: SharedValues

        init(_ values: SharedValues) { self.values = values }

        static func == (left: Shared, right: Shared) -> Bool { left === right || left.values == right.values }

        func hash(into hasher: inout Hasher) { hasher.combine(values) }
    }

    /// An immutable object, because a definition is large and is kept in several places: in its file, in the set, and
    /// with its schedule.
    final class Storage: Sendable {
        let fields: Fields

        init(_ fields: Fields) { self.fields = fields }
    }
}
