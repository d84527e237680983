/// What people have said about one definition, apart from its file: it survives edits and restarts, and ends by itself.
public struct Overrides: Sendable, Hashable {
    /// Who said so, when and why.
    public struct Origin: Sendable, Hashable {
        /// A user's name.
        public var by: String
        /// When.
        public var at: Timestamp
        /// In that user's words.
        public var note: String?

        /// By that user, at that instant.
        public init(by: String, at: Timestamp, note: String? = nil) {
            self.by = by
            self.at = at
            self.note = note
        }
    }

    /// Nothing is sent until then.
    public struct Mute: Sendable, Hashable {
        /// Its end.
        public var until: Timestamp
        /// Who said so.
        public var origin: Origin

        /// A silence until that instant.
        public init(until: Timestamp, origin: Origin) {
            self.until = until
            self.origin = origin
        }
    }

    /// Nothing is sent of one occurrence.
    public struct Skip: Sendable, Hashable {
        /// The occurrence.
        public var occurrence: Timestamp
        /// Who said so.
        public var origin: Origin

        /// Of that occurrence.
        public init(occurrence: Timestamp, origin: Origin) {
            self.occurrence = occurrence
            self.origin = origin
        }
    }

    /// The expiry of one occurrence is sent later.
    public struct Snooze: Sendable, Hashable {
        /// The occurrence.
        public var occurrence: Timestamp
        /// When it is sent.
        public var until: Timestamp
        /// Who said so.
        public var origin: Origin

        /// Of that occurrence, at that instant.
        public init(occurrence: Timestamp, until: Timestamp, origin: Origin) {
            self.occurrence = occurrence
            self.until = until
            self.origin = origin
        }
    }

    /// The silence, if there is one.
    public var mute: Mute? {
        get { said?.value.mute }
        set { change { $0.mute = newValue } }
    }
    /// The occurrence that is passed over, if there is one.
    public var skip: Skip? {
        get { said?.value.skip }
        set { change { $0.skip = newValue } }
    }
    /// The occurrence whose expiry is sent later, if there is one.
    public var snooze: Snooze? {
        get { said?.value.snooze }
        set { change { $0.snooze = newValue } }
    }

    /// An object, which never changes, because nearly always nothing is said and that is to be small.
    private var said: Box<Fields>?

    /// None of them. Nearly always there are none, and the other initializer takes much that would be empty.
    public init() {}

    /// Those that are given.
    public init(mute: Mute? = nil, skip: Skip? = nil, snooze: Snooze? = nil) {
        if mute != nil || skip != nil || snooze != nil {
            said = Box(Fields(mute: mute, skip: skip, snooze: snooze))
        }
    }

    /// Whether nothing is said.
    public var isEmpty: Bool { said == nil }
}

extension Overrides {
    private struct Fields: Sendable, Hashable {
        var mute: Mute?
        var skip: Skip?
        var snooze: Snooze?
    }

    private mutating func change(_ body: (inout Fields) -> Void) {
        var fields = said?.value ?? Fields()
        body(&fields)
        self = Overrides(mute: fields.mute, skip: fields.skip, snooze: fields.snooze)
    }
}
